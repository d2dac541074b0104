#include "ptx/cfg.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "ptx_text.h"

namespace lanescope::ptx {
namespace cfg_test {

using Indices = std::vector<std::uint32_t>;

Cfg cfg_of(const std::string& body) {
    const Module module = parsed(kernel(".reg .pred %p; .reg .b32 %r; " + body));
    return module.functions.empty() ? Cfg{} : build_cfg(module.functions[0]);
}

TEST(Cfg, a_straight_line_is_one_block) {
    const Cfg cfg = cfg_of("bar.sync 0; unused: membar.cta; ret;");
    ASSERT_EQ(cfg.blocks.size(), 1u);
    EXPECT_TRUE(cfg.blocks[0].leaves);
    EXPECT_EQ(cfg.blocks[0].post_dominator, no_index);
    EXPECT_EQ(cfg.block_of, (Indices{0, 0, 0}));
}

TEST(Cfg, both_sides_of_a_branch_meet_in_the_post_dominator) {
    const Cfg cfg = cfg_of("@%p bra other; bar.sync 0; bra.uni join; other: bar.sync 1; join: ret;");
    ASSERT_EQ(cfg.blocks.size(), 4u);
    EXPECT_EQ(cfg.blocks[0].successors, (Indices{2, 1})) << "the target comes before the next instruction";
    EXPECT_EQ(cfg.blocks[0].post_dominator, 3u);
    EXPECT_EQ(cfg.blocks[1].post_dominator, 3u);
    EXPECT_EQ(cfg.blocks[3].predecessors, (Indices{1, 2}));
}

TEST(Cfg, a_loop_is_left_through_its_condition) {
    const Cfg cfg = cfg_of("bar.sync 0; head: @!%p bra out; bar.sync 1; bra.uni head; out: ret;");
    ASSERT_EQ(cfg.blocks.size(), 4u);
    EXPECT_EQ(cfg.blocks[1].predecessors, (Indices{0, 2}));
    EXPECT_EQ(cfg.blocks[1].post_dominator, 3u);
    EXPECT_EQ(cfg.blocks[2].post_dominator, 1u);
}

TEST(Cfg, a_guarded_ret_goes_on_and_leaves) {
    const Cfg cfg = cfg_of("@%p ret; bar.sync 0; @%p exit; bar.sync 1;");
    ASSERT_EQ(cfg.blocks.size(), 3u);
    EXPECT_TRUE(cfg.blocks[0].leaves);
    EXPECT_EQ(cfg.blocks[0].successors, (Indices{1}));
    EXPECT_EQ(cfg.blocks[0].post_dominator, no_index) << "some lanes end in the block";
    EXPECT_TRUE(cfg.blocks[2].leaves) << "the text ends here";
}

TEST(Cfg, a_trap_leads_nowhere_and_does_not_count) {
    const Cfg cfg = cfg_of("@%p bra fine; trap; fine: ret;");
    ASSERT_EQ(cfg.blocks.size(), 3u);
    EXPECT_TRUE(cfg.blocks[1].successors.empty());
    EXPECT_FALSE(cfg.blocks[1].leaves);
    EXPECT_EQ(cfg.blocks[0].post_dominator, 2u);
}

TEST(Cfg, a_branch_table_goes_to_each_target_once) {
    const Cfg cfg = cfg_of(
        "t: .branchtargets a, b, a; brx.idx %r, t; a: bar.sync 0; bra join; b: bar.sync 1; join: ret;");
    ASSERT_EQ(cfg.blocks.size(), 4u);
    EXPECT_EQ(cfg.blocks[0].successors, (Indices{1, 2}));
    EXPECT_EQ(cfg.blocks[0].post_dominator, 3u);
}

TEST(Cfg, a_branch_to_the_next_instruction_or_to_the_end) {
    const Cfg cfg = cfg_of("@%p bra next; next: @%p bra end; bar.sync 0; end:");
    ASSERT_EQ(cfg.blocks.size(), 3u);
    EXPECT_EQ(cfg.blocks[0].successors, (Indices{1}));
    EXPECT_TRUE(cfg.blocks[1].leaves);
    EXPECT_EQ(cfg.blocks[1].successors, (Indices{2}));
}

TEST(Cfg, an_endless_loop_has_no_post_dominators) {
    const Cfg cfg = cfg_of("@%p bra out; l: bar.sync 0; bra l; out: ret;");
    ASSERT_EQ(cfg.blocks.size(), 3u);
    EXPECT_EQ(cfg.blocks[0].post_dominator, 2u);
    EXPECT_EQ(cfg.blocks[1].post_dominator, no_index);
}

TEST(Cfg, an_empty_body_has_no_blocks) {
    EXPECT_TRUE(cfg_of("").blocks.empty());
}

// Returns whether the end can be reached from a block without passing another. By definition, d
// post-dominates b if the end cannot be reached from b without d.
bool reaches_end(const Cfg& cfg, std::uint32_t from, std::uint32_t without) {
    std::vector<bool> seen(cfg.blocks.size());
    Indices stack{from};
    while (!stack.empty()) {
        const std::uint32_t b = stack.back();
        stack.pop_back();
        if (b == without || seen[b]) continue;
        seen[b] = true;
        if (cfg.blocks[b].leaves) return true;
        for (const std::uint32_t next : cfg.blocks[b].successors)
            stack.push_back(next);
    }
    return false;
}

std::uint32_t expected_post_dominator(const Cfg& cfg, std::uint32_t block) {
    if (!reaches_end(cfg, block, no_index)) return no_index;
    Indices candidates;
    for (std::uint32_t d = 0; d < cfg.blocks.size(); ++d)
        if (d != block && !reaches_end(cfg, block, d)) candidates.push_back(d);
    // All other candidates post-dominate the immediate one.
    for (const std::uint32_t d : candidates) {
        bool immediate = true;
        for (const std::uint32_t other : candidates)
            immediate = immediate && (other == d || !reaches_end(cfg, d, other));
        if (immediate) return d;
    }
    return no_index;
}

TEST(Cfg, post_dominators_of_random_graphs_are_those_of_the_definition) {
    std::mt19937 random(7);
    for (int graph = 0; graph < 300; ++graph) {
        const unsigned blocks = 2 + random() % 14;
        std::string body;
        for (unsigned b = 0; b < blocks; ++b) {
            body += "l" + std::to_string(b) + ": ";
            const std::string target = "l" + std::to_string(random() % blocks) + "; ";
            switch (random() % 6) {
                case 0:
                    body += "bra " + target;
                    break;
                case 1:
                    body += "bar.sync 0; ";
                    break;
                case 2:
                    body += random() % 2 ? "@%p ret; " : "trap; ";
                    break;
                default:
                    body += "@%p bra " + target;
                    break;
            }
        }
        const Cfg cfg = cfg_of(body + " ret;");
        for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
            EXPECT_EQ(cfg.blocks[b].post_dominator, expected_post_dominator(cfg, b))
                << body << " block " << b;
    }
}

// Nested backward and forward branches, for which a naive search for common ancestors takes quadratic time.
TEST(Cfg, bad_huge_graphs_end_in_time) {
    std::string body;
    constexpr unsigned count = 60000;
    for (unsigned i = 0; i < count; ++i)
        body +=
            "a" + std::to_string(i) + ": @%p bra a" + std::to_string(i % 2 ? 0 : count - 1 - i / 2) + ";\n";
    const auto start = std::chrono::steady_clock::now();
    const Cfg cfg = cfg_of(body + "ret;");
    EXPECT_EQ(cfg.blocks.size(), count + 1);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace cfg_test
}  // namespace lanescope::ptx
