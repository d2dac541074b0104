#include "scene/words/access_words.h"

#include <gtest/gtest.h>

#include "scene_fixture.h"

namespace lanescope::scene {
namespace access_words_test {

using trace::AccessKind;
using trace::Space;

TEST(AccessWords, expressions_of_a_line) {
    const auto found = index_expressions("            s[t] += s[t + stride];  // s[9]", "s");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].text, "s[t]");
    EXPECT_TRUE(found[0].assigned && found[0].updated);
    EXPECT_EQ(found[1].text, "s[t + stride]");
    EXPECT_FALSE(found[1].assigned);
    EXPECT_EQ(index_expressions("tile[ty][tx] = in[y * w + x];", "tile")[0].text, "tile[ty][tx]");
    EXPECT_EQ(index_expressions("bins[a[i]]++;", "a").size(), 1u);
    EXPECT_FALSE(index_expressions("if (s[t] == 3)", "s")[0].assigned);
    EXPECT_TRUE(index_expressions("++s[t];", "s")[0].updated);
}

TEST(AccessWords, bad_lines_give_no_expression) {
    EXPECT_TRUE(index_expressions("s[t", "s").empty());
    EXPECT_TRUE(index_expressions("bins[3]", "s").empty());
    EXPECT_TRUE(index_expressions("s[1]", "").empty());
    EXPECT_TRUE(source_line("one\ntwo", 3).empty());
    EXPECT_TRUE(source_line("one\ntwo", 0).empty());
    EXPECT_EQ(source_line("one\ntwo", 2), "two");
}

struct ReductionLine : SceneFixture {
    ReductionLine(const std::string& text) {
        trace.program.source.text = std::string(9, '\n') + text + "\n";
        trace::TurnDetail& made = turn(0);
        made.accesses.push_back(
            access(AccessKind::load, Space::shared, 0x11111111, [](unsigned t) { return t + 2; }));
        made.accesses.push_back(
            access(AccessKind::load, Space::shared, 0x11111111, [](unsigned t) { return t; }));
        made.accesses.push_back(
            access(AccessKind::store, Space::shared, 0x11111111, [](unsigned t) { return t; }));
    }
    std::vector<Request> describe() {
        const trace::TurnDetail* pointers[] = {&details[0]};
        return describe_requests(trace, 0, ~0u, pointers);
    }
};

TEST(AccessWords, requests_are_named_as_the_source_spells_them) {
    ReductionLine line("            s[t] += s[t + stride];");
    const auto requests = line.describe();
    ASSERT_EQ(requests.size(), 3u);
    EXPECT_EQ(requests[0].text, "load s[t + stride], 8 of 32 lanes");
    EXPECT_EQ(requests[1].text, "load s[t], 8 of 32 lanes");
    EXPECT_EQ(requests[2].text, "store s[t], 8 of 32 lanes");
    EXPECT_EQ(requests[0].cost, 1u);
}

TEST(AccessWords, requests_to_other_blocks_name_the_block) {
    ReductionLine line("            there[t] += 1;");
    for (trace::Access& access : line.details[0].accesses)
        access.owner = 1;
    const auto requests = line.describe();
    EXPECT_EQ(requests[1].text, "load s[0 … 28] of block 1, 8 of 32 lanes");
    EXPECT_TRUE(requests[1].remote);
    EXPECT_EQ(requests[1].cost, 0u);
}

TEST(AccessWords, requests_in_doubt_name_the_cells) {
    ReductionLine line("            swap(s[t], s[t + stride]);");
    EXPECT_EQ(line.describe()[0].text, "load s[2 … 30], 8 of 32 lanes");
}

TEST(AccessWords, bank_verdicts) {
    const auto load = [](auto cell, trace::Mask mask) {
        return bank_verdict(SceneFixture::access(AccessKind::load, Space::shared, mask, cell));
    };
    EXPECT_EQ(load([](unsigned t) { return t + 2; }, 0x11111111).text,
              "no conflict: 8 words in 8 banks, one wavefront");
    const AccessVerdict four = load([](unsigned t) { return t * 4; }, ~0u);
    EXPECT_EQ(four.text, "4-way conflict: 32 words in 8 banks, 4 wavefronts");
    EXPECT_FALSE(four.good);
    EXPECT_EQ(load([](unsigned) { return 7; }, ~0u).text,
              "broadcast: 32 lanes share one word, one wavefront");
}

TEST(AccessWords, atomics_that_wait) {
    const auto atomic = [](Space space, auto cell, trace::Mask mask) {
        return sector_verdict(SceneFixture::access(AccessKind::atomic, space, mask, cell));
    };
    EXPECT_EQ(atomic(
                  Space::global, [](unsigned) { return 3; }, ~0u)
                  .text,
              "32 lanes on one address: 32 passes, one after the other");
    EXPECT_FALSE(atomic(
                     Space::global, [](unsigned t) { return t / 2; }, ~0u)
                     .good);
    EXPECT_EQ(atomic(
                  Space::global, [](unsigned t) { return t * 32; }, 0xff)
                  .text,
              "no waiting: 8 addresses");
    EXPECT_EQ(atomic(
                  Space::global, [](unsigned t) { return t; }, 0x4)
                  .text,
              "one lane, one pass");
    EXPECT_EQ(atomic(
                  Space::shared, [](unsigned t) { return t * 32; }, 0xff)
                  .text,
              "8 lanes on one bank: 8 passes, one after the other");
    analysis::Metrics metrics;
    EXPECT_EQ(metric_rows(metrics, metrics).size(), 4u);
    metrics.atomics = 64;
    metrics.atomic_passes = 34;
    metrics.global_atomic_requests = 2;
    EXPECT_EQ(metric_rows({}, metrics).back().kernel, "17.00");
    EXPECT_EQ(metric_rows({}, metrics).back().step, "–");
}

TEST(AccessWords, sectors_and_their_bytes) {
    const trace::Access packed =
        SceneFixture::access(AccessKind::load, Space::global, ~0u, [](unsigned t) { return t; });
    EXPECT_EQ(sector_verdict(packed).text, "4 sectors of 32 bytes, ideal 4");
    const auto sectors = touched_sectors(packed);
    ASSERT_EQ(sectors.size(), 4u);
    EXPECT_EQ(sectors[0].bytes, ~0u);
    const trace::Access strided =
        SceneFixture::access(AccessKind::load, Space::global, ~0u, [](unsigned t) { return t * 16; });
    EXPECT_FALSE(sector_verdict(strided).good);
    EXPECT_EQ(touched_sectors(strided).size(), 32u);
    EXPECT_EQ(touched_sectors(strided)[0].bytes, 0xFu);
}

TEST(AccessWords, metrics_without_numbers_are_dashes) {
    const auto rows = metric_rows({}, {});
    for (const MetricRow& row : rows) {
        EXPECT_EQ(row.step, "–") << row.name;
        EXPECT_EQ(row.kernel, "–") << row.name;
    }
}

TEST(AccessWords, metrics_as_numbers) {
    analysis::Metrics m;
    m.warp_instructions = 4;
    m.thread_instructions = 32;
    m.shared_load_requests = 2;
    m.shared_load_wavefronts = 4;
    m.global_load_requests = 1;
    m.global_load_sectors = 8;
    m.global_load_ideal_sectors = 4;
    m.branches = 14;
    m.divergent_branches = 10;
    const auto rows = metric_rows(m, m);
    EXPECT_EQ(rows[0].step, "25 %");
    EXPECT_EQ(rows[1].step, "2.00");
    EXPECT_EQ(rows[2].step, "8.00");
    EXPECT_EQ(rows[2].kernel, "8.00 (ideal 4)");
    EXPECT_EQ(rows[3].step, "10 of 14");
}

}  // namespace access_words_test
}  // namespace lanescope::scene
