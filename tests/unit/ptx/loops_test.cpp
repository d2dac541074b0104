#include "ptx/loops.h"

#include <gtest/gtest.h>

#include <random>

#include "ptx_text.h"

namespace lanescope::ptx {
namespace loops_test {

using Indices = std::vector<std::uint32_t>;

struct Found {
    Cfg cfg;
    LoopNest nest;
};

Found loops_of(const std::string& body) {
    const Module module = parsed(kernel(".reg .pred %p; .reg .b32 %r; " + body));
    Found found{module.functions.empty() ? Cfg{} : build_cfg(module.functions[0]), {}};
    found.nest = find_loops(found.cfg);
    return found;
}

bool lies_in(const LoopNest& nest, std::uint32_t inner, std::uint32_t loop) {
    while (inner != no_index && inner != loop)
        inner = nest.loops[inner].parent;
    return inner == loop;
}

// Expects that every edge goes forwards except those to the header of a loop from within, and that the blocks
// of each loop stand together.
void expect_order(const Found& found) {
    const LoopNest& nest = found.nest;
    const auto count = static_cast<std::uint32_t>(found.cfg.blocks.size());
    for (std::uint32_t b = 0; b < count; ++b)
        for (const std::uint32_t next : found.cfg.blocks[b].successors) {
            bool to_header = false;
            for (std::uint32_t loop = nest.inner[b]; loop != no_index; loop = nest.loops[loop].parent)
                to_header = to_header || nest.loops[loop].header == next;
            EXPECT_TRUE(to_header || nest.place[b] < nest.place[next]) << b << " to " << next;
        }
    for (std::uint32_t loop = 0; loop < nest.loops.size(); ++loop) {
        std::uint32_t least = count, most = 0, members = 0;
        for (std::uint32_t b = 0; b < count; ++b)
            if (lies_in(nest, nest.inner[b], loop)) {
                least = std::min(least, nest.place[b]);
                most = std::max(most, nest.place[b]);
                ++members;
            }
        EXPECT_EQ(most - least + 1, members) << "loop " << loop;
    }
}

TEST(Loops, straight_code_and_branches_have_none_and_keep_the_texts_order) {
    const Found found = loops_of("@%p bra other; bar.sync 0; bra.uni join; other: bar.sync 1; join: ret;");
    EXPECT_TRUE(found.nest.loops.empty());
    EXPECT_EQ(found.nest.place, (Indices{0, 1, 2, 3}));
}

TEST(Loops, a_loop_whose_body_stands_behind_its_exit_comes_before_the_exit) {
    const Found found =
        loops_of("bra.uni head; out: ret; body: bar.sync 1; head: @%p bra body; bra.uni out;");
    ASSERT_EQ(found.nest.loops.size(), 1u);
    EXPECT_EQ(found.nest.loops[0].header, 3u);
    EXPECT_EQ(found.nest.inner, (Indices{no_index, no_index, 0, 0, no_index}));
    expect_order(found);
}

TEST(Loops, loops_nest) {
    const Found found = loops_of("outer: bar.sync 0; inner: bar.sync 1; @%p bra inner; @%p bra outer; ret;");
    ASSERT_EQ(found.nest.loops.size(), 2u);
    EXPECT_EQ(found.nest.loops[1].parent, 0u);
    EXPECT_EQ(found.nest.loops[0].header, 0u);
    EXPECT_EQ(found.nest.loops[1].header, 1u);
    expect_order(found);
}

TEST(Loops, a_block_that_branches_to_itself_is_a_loop) {
    const Found found = loops_of("again: @%p bra again; ret;");
    ASSERT_EQ(found.nest.loops.size(), 1u);
    EXPECT_EQ(found.nest.inner, (Indices{0, no_index}));
}

TEST(Loops, a_loop_with_two_entries_has_one_header) {
    const Found found = loops_of("@%p bra b; a: bar.sync 0; b: bar.sync 1; @%p bra a; ret;");
    ASSERT_EQ(found.nest.loops.size(), 1u);
    expect_order(found);
}

TEST(Loops, random_graphs_are_ordered) {
    std::mt19937 random(7);
    for (int graph = 0; graph < 300; ++graph) {
        const unsigned count = 2 + random() % 20;
        std::string body;
        for (unsigned b = 0; b < count; ++b)
            body +=
                "l" + std::to_string(b) + ": bar.sync 0; @%p bra l" + std::to_string(random() % count) + "; ";
        expect_order(loops_of(body + "ret;"));
        if (HasFailure()) FAIL() << body;
    }
}

TEST(Loops, very_deep_nesting_ends_in_the_texts_order) {
    std::string body, ends;
    for (int depth = 0; depth < 200; ++depth) {
        body += "l" + std::to_string(depth) + ": bar.sync 0; ";
        ends = "@%p bra l" + std::to_string(depth) + "; " + ends;
    }
    const Found found = loops_of(body + ends + "ret;");
    EXPECT_EQ(found.nest.loops.size(), 64u);
    Indices places = found.nest.place;
    std::sort(places.begin(), places.end());
    for (std::uint32_t i = 0; i < places.size(); ++i)
        EXPECT_EQ(places[i], i);
}

}  // namespace loops_test
}  // namespace lanescope::ptx
