#include "scene/stage/array_shapes.h"

#include <gtest/gtest.h>

#include "scene_fixture.h"

namespace lanescope::scene {
namespace array_shapes_test {

using trace::AccessKind;
using trace::Space;

// A block of 16 × 8 threads with s[200] in shared and mask[81] in constant memory.
struct ArrayShapesTest : testing::Test, SceneFixture {
    ArrayShapesTest() {
        trace.launches[0].block = {16, 8, 1};
        trace.launches[0].shared = {symbol("s", Space::shared, 0, {200})};
        trace.symbols = {symbol("mask", Space::constant, 0, {81})};
        trace.program.ptx =
            "line 1\natom.shared.add.u32 %r1, [%rd1], 1;\natom.shared.exch.b32 %r1, [%rd1], 1;\n";
        trace.program.code_rows = {{0, 10, 1, 2}, {0, 11, 1, 3}};
    }

    // One instruction by all four warps; `cell` of each thread.
    void access_all(AccessKind kind, Space space,
                    const std::function<std::uint64_t(unsigned x, unsigned y)>& cell, std::uint32_t pc = 0) {
        for (std::uint16_t warp = 0; warp < 4; ++warp) {
            trace::TurnDetail& detail = turn(warp);
            detail.accesses.push_back(access(kind, space, ~0u, [&](unsigned lane) {
                const unsigned thread = warp * 32u + lane;
                return cell(thread % 16, thread / 16);
            }));
            detail.accesses.back().pc = pc;
        }
    }

    StageArray shaped(const std::string& name, bool complete = true,
                      const std::vector<lesson::ShapeInstance>& given = {}) {
        const std::uint32_t launches[] = {0};
        std::vector<StageArray> made = declared_arrays(trace, launches);
        ShapeWatch watch(trace);
        for (const trace::TurnDetail& detail : details) {
            note_use(detail, 0, made);
            watch.note(detail, made, 0);
        }
        watch.propose(made, complete);
        apply_shapes(given, made);
        watch.align(given, made);
        for (const StageArray& array : made)
            if (array.symbol->name == name) return array;
        return {};
    }
};

TEST_F(ArrayShapesTest, rows_of_threads_make_a_matrix) {
    access_all(AccessKind::store, Space::shared, [](unsigned x, unsigned y) { return y * 18 + x; });
    const StageArray s = shaped("s");
    EXPECT_EQ(s.view, ArrayView::matrix);
    EXPECT_EQ(s.columns, 18u);
    EXPECT_EQ(s.count, 7u * 18 + 16);
    EXPECT_EQ(s.used_text(), "142 of 200 cells used");
}

TEST_F(ArrayShapesTest, columns_are_found_in_transposed_accesses_and_in_wide_blocks) {
    access_all(AccessKind::load, Space::shared, [](unsigned x, unsigned y) { return x * 9 + y; });
    EXPECT_EQ(shaped("s").columns, 9u);
    details.clear();
    trace.turns.clear();
    trace.launches[0].block = {32, 4, 1};
    for (std::uint16_t warp = 0; warp < 4; ++warp)
        turn(warp).accesses.push_back(
            access(AccessKind::store, Space::shared, ~0u, [&](unsigned lane) { return warp * 33u + lane; }));
    EXPECT_EQ(shaped("s").columns, 33u);
}

TEST_F(ArrayShapesTest, a_row_of_threads_makes_no_matrix) {
    trace.launches[0].block = {128, 1, 1};
    access_all(AccessKind::store, Space::shared, [](unsigned x, unsigned y) { return y * 16 + x; });
    EXPECT_EQ(shaped("s").columns, 0u);
    EXPECT_EQ(shaped("s").view, ArrayView::cells);
}

TEST_F(ArrayShapesTest, only_cells_that_are_used_are_shown) {
    for (unsigned cell = 0; cell < 25; ++cell)
        access_all(AccessKind::load, Space::constant, [&](unsigned, unsigned) { return cell; });
    EXPECT_EQ(shaped("mask").count, 25u);
    EXPECT_EQ(shaped("mask").columns, 5u);
    EXPECT_EQ(shaped("mask", false).count, 81u);
    const StageArray given = shaped("mask", true, {{"mask", {3, 7}, {}, {}, {}, {}}});
    EXPECT_EQ(given.count, 21u);
    EXPECT_EQ(given.columns, 7u);
}

TEST_F(ArrayShapesTest, counters_are_bars_and_locks_are_not) {
    trace.launches[0].shared = {symbol("s", Space::shared, 0, {7})};
    access_all(
        AccessKind::atomic, Space::shared, [](unsigned x, unsigned) { return x % 7; }, 0);
    EXPECT_EQ(shaped("s").view, ArrayView::bars);
    details.clear();
    trace.turns.clear();
    access_all(
        AccessKind::atomic, Space::shared, [](unsigned x, unsigned) { return x % 7; }, 1);
    EXPECT_EQ(shaped("s").view, ArrayView::cells);
}

TEST_F(ArrayShapesTest, parts_of_a_counter_are_not_bars) {
    trace.launches[0].shared = {symbol("s", Space::shared, 0, {8})};
    access_all(AccessKind::atomic, Space::shared, [](unsigned, unsigned) { return 0; });
    EXPECT_EQ(shaped("s").view, ArrayView::bars);
    for (trace::TurnDetail& detail : details)
        detail.accesses[0].width_bytes = 8;  // two cells are one counter
    EXPECT_EQ(shaped("s").view, ArrayView::cells);
    EXPECT_EQ(shaped("s").count, 2u);
}

// s[t] = t >= 2 && t < 10 ? in[t - 2] : 0: the condition parts the load from the store.
TEST_F(ArrayShapesTest, a_tile_with_a_halo_stands_under_its_input) {
    trace.launches[0].block = {12, 1, 1};
    trace.launches[0].shared = {symbol("s", Space::shared, 0, {12})};
    trace.symbols = {symbol("in", Space::global, 0, {8})};
    for (trace::Symbol& each : trace.symbols)
        each.buffer = true;
    trace.program.code_rows = {{0, 10, 1, 2}, {0, 11, 1, 3}};
    turn(0).accesses.push_back(
        access(AccessKind::load, Space::global, 0x3fc, [](unsigned lane) { return lane - 2; }));
    turn(0).accesses.push_back(
        access(AccessKind::store, Space::shared, 0xfff, [](unsigned lane) { return lane; }));
    EXPECT_EQ(shaped("in").lead, 2u);
    EXPECT_EQ(shaped("s").lead, 0u);
    details.back().accesses.back().pc = 1;  // another line: not a copy
    EXPECT_EQ(shaped("in").lead, 0u);
}

TEST_F(ArrayShapesTest, a_request_reaches_from_its_first_to_its_last_cell) {
    turn(0).accesses.push_back(
        access(AccessKind::load, Space::shared, 0xf, [](unsigned lane) { return 100 - 30 * lane; }));
    turn(0).accesses.push_back(
        access(AccessKind::load, Space::shared, 0x3, [](unsigned lane) { return 150 + lane; }));
    EXPECT_EQ(shaped("s").use.reach, 91u);
}

}  // namespace array_shapes_test
}  // namespace lanescope::scene
