#include "scene/stage/stage_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "scene/stage/stage_model.h"
#include "scene_fixture.h"

namespace lanescope::scene {
namespace stage_layout_test {

// Advances and line heights like those of the window's fonts.
constexpr std::array<TextSize, 4> sizes{TextSize{16, 34}, TextSize{8, 17}, TextSize{7, 15}, TextSize{5, 12}};

LayoutFrame frame(float width = 944, float height = 430, float zoom = 1) {
    return {lane_grid({236, width, 1, zoom}), height, 1, zoom, sizes};
}

StageArray array(const trace::Symbol& symbol, std::uint64_t count, std::uint64_t columns = 0) {
    StageArray made;
    made.symbol = &symbol;
    made.cell_bytes = 4;
    made.count = count;
    made.columns = columns;
    if (columns != 0) made.view = ArrayView::matrix;
    return made;
}

struct StageLayoutTest : testing::Test {
    SceneFixture fixture;
    trace::Symbol symbol = fixture.symbol("a", trace::Space::global, 0, {1});
    StageLayout make(const StageArray& one, ArrayHint hint = {}, const LayoutFrame& where = frame()) const {
        const StageArray arrays[] = {one};
        const ArrayHint hints[] = {hint};
        return make_layout(arrays, hints, where);
    }
};

TEST_F(StageLayoutTest, rows_of_32_line_up_with_the_lanes) {
    const StageLayout layout = make(array(symbol, 64), {2, 0, 0});
    const ArrayPlan& plan = layout.plans[0];
    const LaneGrid grid = frame().grid;
    EXPECT_EQ(plan.columns, 32u);
    EXPECT_EQ(plan.rows, 2u);
    for (int lane : {0, 7, 31})
        EXPECT_FLOAT_EQ(plan.column_x(lane), grid.x(lane));
    EXPECT_FLOAT_EQ(plan.cell_width, grid.cell);
}

TEST_F(StageLayoutTest, wide_values_span_whole_lanes) {
    const ArrayPlan plan = make(array(symbol, 64), {8, 0, 0}).plans[0];
    EXPECT_EQ(plan.columns, 16u);
    EXPECT_FLOAT_EQ(plan.column_x(3), frame().grid.x(6));
    EXPECT_GE(plan.text.max_chars, 8);
}

TEST_F(StageLayoutTest, columns_of_banks_stay_banks_where_values_do_not_fit) {
    const ArrayHint wide{.widest_chars = 8, .banks = true};
    const ArrayPlan plan = make(array(symbol, 64), wide, frame(360)).plans[0];
    EXPECT_EQ(plan.columns, 32u);
    EXPECT_EQ(plan.form, Form::cells);
    EXPECT_LT(plan.text.size, 0);
    StageArray pairs = array(symbol, 64);
    pairs.cell_bytes = 8;
    EXPECT_EQ(make(pairs, wide, frame(360)).plans[0].columns, 16u);
    EXPECT_GE(make(array(symbol, 64), {.widest_chars = 1, .banks = true}).plans[0].text.max_chars, 1);
}

TEST_F(StageLayoutTest, zooming_in_makes_room_for_wide_values) {
    EXPECT_EQ(make(array(symbol, 64), {8, 0, 0}, frame(944, 430, 2.5f)).plans[0].columns, 32u);
}

TEST_F(StageLayoutTest, text_is_as_large_as_fits) {
    EXPECT_EQ(fit_text(25, 25, 2, sizes).size, 1);
    EXPECT_EQ(fit_text(25, 25, 3, sizes).size, 1);
    EXPECT_EQ(fit_text(25, 25, 4, sizes).size, 3);
    EXPECT_EQ(fit_text(25, 25, 9, sizes).max_chars, 4);
    EXPECT_EQ(fit_text(60, 60, 3, sizes).size, 0);
    EXPECT_EQ(fit_text(4, 25, 1, sizes).size, -1);
}

TEST_F(StageLayoutTest, only_the_block_part_of_a_large_buffer_is_unfolded) {
    StageArray large = array(symbol, 65536);
    large.use.touch(256, 383);
    const ArrayPlan plan = make(large, {2, 256, 0}).plans[0];
    EXPECT_EQ(plan.form, Form::cells);
    EXPECT_EQ(plan.first_row, 8u);
    EXPECT_EQ(plan.shown_rows, 4u);
    EXPECT_TRUE(plan.hides_above());
    EXPECT_TRUE(plan.hides_below());
    EXPECT_TRUE(plan.shows(300));
    EXPECT_FALSE(plan.shows(0));
}

TEST_F(StageLayoutTest, a_million_cells_become_a_heat_window) {
    StageArray huge = array(symbol, 1'000'000);
    huge.use.touch(0, 999'999);
    const ArrayPlan plan = make(huge).plans[0];
    EXPECT_EQ(plan.form, Form::heat);
    EXPECT_LE(plan.shown_rows * plan.shown_columns, 40'000u);
    EXPECT_LT(plan.bottom - plan.top, 400);
}

TEST_F(StageLayoutTest, matrices_stay_matrices) {
    const ArrayPlan small = make(array(symbol, 49, 7), {2, 0, 0}).plans[0];
    EXPECT_EQ(small.columns, 7u);
    EXPECT_EQ(small.rows, 7u);
    const ArrayPlan padded = make(array(symbol, 32 * 33, 33), {1, 0, 0}).plans[0];
    EXPECT_EQ(padded.shown_columns, 33u);
    EXPECT_LE(padded.column_x(32) + padded.cell_width, 236 + 944);
    const ArrayPlan wide = make(array(symbol, 4096ull * 4096, 4096), {3, 0, 0}).plans[0];
    EXPECT_EQ(wide.form, Form::heat);
    EXPECT_LT(wide.shown_columns, 4096u);
}

TEST_F(StageLayoutTest, small_matrices_stand_side_by_side) {
    const StageArray arrays[] = {array(symbol, 64, 8), array(symbol, 72, 9), array(symbol, 64, 8)};
    const ArrayHint hints[] = {{2, 0, 0}, {2, 0, 0}, {2, 0, 0}};
    const StageLayout layout = make_layout(arrays, hints, frame());
    for (std::size_t i = 1; i < 3; ++i) {
        EXPECT_EQ(layout.plans[i].top, layout.plans[0].top);
        EXPECT_GT(layout.plans[i].label_x, layout.plans[i - 1].x + layout.plans[i - 1].width());
        EXPECT_EQ(layout.plans[i].form, Form::cells);
    }
    EXPECT_LE(layout.plans[2].x + layout.plans[2].width(), 236 + 944);
    const auto cell = layout.hit(layout.plans[1].column_x(8) + 2, layout.plans[1].row_y(7) + 2);
    ASSERT_TRUE(cell);
    EXPECT_EQ(*cell, (CellRef{1, 71}));
}

TEST_F(StageLayoutTest, large_matrices_get_small_cells_until_all_are_in_sight) {
    const StageArray arrays[] = {array(symbol, 1024, 32), array(symbol, 1056, 33), array(symbol, 1024, 32)};
    const ArrayHint hints[] = {{2, 0, 0}, {2, 0, 0}, {2, 0, 0}};
    const StageLayout layout = make_layout(arrays, hints, frame());
    EXPECT_LE(layout.height, 430);
    for (const ArrayPlan& plan : layout.plans) {
        EXPECT_EQ(plan.form, Form::heat);
        EXPECT_EQ(plan.shown_rows, 32u);
    }
}

TEST_F(StageLayoutTest, a_small_matrix_fills_the_panel) {
    const ArrayPlan mask = make(array(symbol, 25, 5), {1, 0, 0}).plans[0];
    EXPECT_EQ(mask.form, Form::cells);
    EXPECT_GT(mask.cell_height, 55);
    const ArrayPlan zoomed = make(array(symbol, 25, 5), {1, 0, 0}, frame(944, 430, 2)).plans[0];
    EXPECT_NEAR(zoomed.cell_height, 2 * mask.cell_height, 4);
}

TEST_F(StageLayoutTest, a_small_matrix_shows_values_beside_large_ones) {
    const StageArray arrays[] = {array(symbol, 576, 24), array(symbol, 25, 5), array(symbol, 256, 16),
                                 array(symbol, 576, 24)};
    const ArrayHint hints[] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    const StageLayout layout = make_layout(arrays, hints, frame());
    EXPECT_LE(layout.height, 430);
    EXPECT_EQ(layout.plans[0].pitch_x, layout.plans[3].pitch_x);
    for (const std::size_t small : {1u, 2u})
        EXPECT_EQ(layout.plans[small].form, Form::cells);
    for (const ArrayPlan& plan : layout.plans)
        EXPECT_EQ(plan.shown_columns, plan.columns);
}

TEST_F(StageLayoutTest, small_matrices_have_most_of_the_room_beside_parts_of_huge_ones) {
    const StageArray arrays[] = {array(symbol, 832 * 1024, 1024), array(symbol, 25, 5),
                                 array(symbol, 256, 16), array(symbol, 832 * 1024, 1024)};
    const ArrayHint hints[] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    const StageLayout layout = make_layout(arrays, hints, frame());
    EXPECT_LE(layout.height, 430);
    EXPECT_EQ(layout.plans[2].form, Form::cells) << "the tile shows its values";
    for (const std::size_t huge : {0u, 3u})
        EXPECT_LE(layout.plans[huge].width(), 0.3f * 944);
    EXPECT_GT(layout.plans[2].width(), layout.plans[0].width());
    const StageLayout alone = make_layout(std::span(arrays).first(1), std::span(hints).first(1), frame());
    EXPECT_GT(alone.plans[0].width(), 0.6f * 944) << "a huge matrix alone has the panel";
}

TEST_F(StageLayoutTest, long_inputs_are_folded_until_the_results_are_in_sight) {
    StageArray text = array(symbol, 1024), bins = array(symbol, 7), out = array(symbol, 7);
    text.view = ArrayView::text;
    text.use.touch(0, 1023);
    bins.view = out.view = ArrayView::bars;
    for (StageArray* bars : {&bins, &out}) {
        bars->use.touch(0, 6);
        bars->use.updated = true;
    }
    const StageArray arrays[] = {text, bins, out};
    const ArrayHint hints[] = {{1, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    const StageLayout layout = make_layout(arrays, hints, frame());
    EXPECT_LE(layout.height, 430);
    EXPECT_LE(layout.plans[0].shown_rows, 3u);
    for (const std::size_t bars : {1u, 2u}) {
        EXPECT_EQ(layout.plans[bars].form, Form::bars);
        EXPECT_GE(layout.plans[bars].bar_height, 40);
        EXPECT_EQ(layout.plans[bars].x, layout.plans[0].x);
    }
    StageArray numbers = array(symbol, 2048);
    numbers.use.touch(0, 2047);
    out.view = ArrayView::cells;
    const StageArray rows[] = {numbers, out};
    const ArrayHint row_hints[] = {{2, 0, 0}, {4, 0, 0}};
    const StageLayout folded = make_layout(rows, row_hints, frame());
    EXPECT_LE(folded.height, 430);
    EXPECT_GE(folded.plans[0].shown_rows, 8u);
}

TEST(StageCopies, of_all_blocks_stand_side_by_side_and_sum_up) {
    const std::filesystem::path kernels = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels";
    session::Session session(kernels);
    session.apply(session::OpenFile{kernels / "histogram/privatised.cu"});
    ASSERT_TRUE(session.wait());
    session.apply(session::SetParameter{"blocks", 4});
    ASSERT_TRUE(session.wait());
    session.apply(session::FocusBlock{2});
    session.apply(session::SeekStep{session.playhead().steps().size() - 1});
    StageModel model;
    ASSERT_TRUE(model.update(session, frame(), CellLabel::value, RealFormat::decimal, true));
    const std::uint32_t s = model.find("s").value(), out = model.find("out").value();
    const ArrayPlan& plan = model.layout().plans[s];
    EXPECT_EQ(plan.copies, 4u);
    EXPECT_EQ(plan.own_copy, 2u);
    EXPECT_EQ(plan.left(), model.layout().plans[out].x);
    EXPECT_GE(plan.x, plan.left() + 2 * plan.width());
    EXPECT_LE(plan.right(), frame().grid.right);
    ASSERT_EQ(model.shown()[s].copies.size(), 4u);
    session.apply(session::FocusBlock{3});  // its merge comes last
    session.apply(session::SeekStep{session.playhead().steps().size() - 1});
    ASSERT_TRUE(model.update(session, frame(), CellLabel::value, RealFormat::decimal, true));
    for (std::size_t bin = 0; bin < 7; ++bin) {
        double sum = model.shown()[s].cells[bin].number;
        for (const std::vector<ShownCell>& copy : model.shown()[s].copies)
            if (!copy.empty()) sum += copy[bin].number;
        EXPECT_EQ(sum, model.shown()[out].cells[bin].number) << "bin " << bin;
    }
}

TEST_F(StageLayoutTest, a_window_that_moves_moves_nothing_else) {
    StageArray numbers = array(symbol, 4000), out = array(symbol, 32);
    numbers.use.touch(0, 3999);
    out.use.touch(0, 31);
    const StageArray arrays[] = {numbers, out};
    const ArrayHint first[] = {{2, 0, 0}, {2, 0, 0}}, later[] = {{2, 2000, 0}, {2, 0, 0}};
    const StageLayout a = make_layout(arrays, first, frame()), b = make_layout(arrays, later, frame());
    EXPECT_NE(a.plans[0].first_row, b.plans[0].first_row);
    EXPECT_EQ(a.plans[0].y, b.plans[0].y);
    EXPECT_EQ(a.plans[1].y, b.plans[1].y);
}

TEST_F(StageLayoutTest, an_array_that_the_block_does_not_touch_is_one_line) {
    StageArray used = array(symbol, 64);
    used.use.touch(0, 63);
    const StageArray arrays[] = {used, array(symbol, 81, 9)};
    const ArrayHint hints[] = {{}, {}};
    const StageLayout layout = make_layout(arrays, hints, frame());
    EXPECT_EQ(layout.plans[1].form, Form::line);
    EXPECT_LT(layout.plans[1].bottom - layout.plans[1].top, 25);
    EXPECT_FALSE(layout.hit(layout.plans[1].x + 2, layout.plans[1].y + 2));
}

TEST_F(StageLayoutTest, leading_places_shift_the_cells) {
    StageArray shifted = array(symbol, 40);
    shifted.lead = 3;
    const ArrayPlan plan = make(shifted, {2, 0, 0}).plans[0];
    EXPECT_EQ(plan.rows, 2u);
    EXPECT_EQ(plan.column_of(0), 3u);
    EXPECT_EQ(plan.row_of(29), 1u);
    EXPECT_EQ(plan.index_at(1, 0), 29u);
    const StageLayout layout = make(shifted, {2, 0, 0});
    const auto cell = layout.hit(plan.column_x(3) + 2, plan.row_y(0) + 2);
    ASSERT_TRUE(cell);
    EXPECT_EQ(cell->index, 0u);
    EXPECT_FALSE(layout.hit(plan.column_x(1) + 2, plan.row_y(0) + 2));
}

TEST_F(StageLayoutTest, a_point_finds_its_cell_and_gaps_find_none) {
    const StageLayout layout = make(array(symbol, 64), {2, 0, 0});
    const ArrayPlan& plan = layout.plans[0];
    const auto cell = layout.hit(plan.column_x(5) + 3, plan.row_y(1) + 3);
    ASSERT_TRUE(cell);
    EXPECT_EQ(cell->index, 37u);
    EXPECT_FALSE(layout.hit(plan.column_x(5) + 3, plan.row_y(0) + plan.cell_height + 1));
    EXPECT_FALSE(layout.hit(plan.x - 3, plan.row_y(0) + 3));
    EXPECT_FALSE(layout.hit(plan.column_x(5), layout.height + 100));
}

TEST_F(StageLayoutTest, arrays_do_not_overlap_and_little_room_takes_the_air) {
    const StageArray arrays[] = {array(symbol, 64), array(symbol, 64), array(symbol, 1)};
    const ArrayHint hints[] = {{}, {}, {}};
    const StageLayout roomy = make_layout(arrays, hints, frame(944, 1000));
    const StageLayout narrow = make_layout(arrays, hints, frame(944, 100));
    EXPECT_GT(roomy.height, narrow.height);
    for (const StageLayout* layout : {&roomy, &narrow})
        for (std::size_t i = 1; i < layout->plans.size(); ++i)
            EXPECT_GE(layout->plans[i].top, layout->plans[i - 1].bottom);
}

TEST_F(StageLayoutTest, arrays_that_the_block_does_not_touch_share_a_line) {
    StageArray touched = array(symbol, 64);
    touched.use.touch(0, 63);
    const StageArray arrays[] = {touched, array(symbol, 64), array(symbol, 64), array(symbol, 64)};
    const ArrayHint hints[] = {{}, {}, {}, {}};
    const StageLayout layout = make_layout(arrays, hints, frame());
    EXPECT_EQ(layout.plans[1].form, Form::line);
    EXPECT_FALSE(layout.plans[1].joined);
    for (const std::size_t i : {2u, 3u}) {
        EXPECT_TRUE(layout.plans[i].joined);
        EXPECT_EQ(layout.plans[i].top, layout.plans[1].top);
    }
    EXPECT_EQ(layout.height, layout.plans[1].bottom);
}

TEST_F(StageLayoutTest, room_for_arcs_only_where_arcs_are) {
    StageArray with = array(symbol, 64);
    with.use.inner_links = true;
    EXPECT_GT(make(with).plans[0].arc_room, 15);
    EXPECT_EQ(make(array(symbol, 64)).plans[0].arc_room, 0);
    StageArray few = array(symbol, 8);
    few.use.inner_links = true;
    LayoutFrame tall = frame();
    tall.tall = tall.fit = tall.zoom = 3;
    tall.grid = lane_grid({236, 944, 1, 3});
    EXPECT_GT(make(few, {}, tall).plans[0].arc_room, make(few).plans[0].arc_room) << "over tall cells";
}

TEST_F(StageLayoutTest, the_window_follows_as_little_as_possible) {
    EXPECT_EQ(follow_window(10, 4, 100, 11, 12), 10u);
    EXPECT_EQ(follow_window(10, 4, 100, 20, 20), 17u);
    EXPECT_EQ(follow_window(10, 4, 100, 3, 5), 3u);
    EXPECT_EQ(follow_window(10, 4, 100, 0, 99), 0u);
    EXPECT_EQ(follow_window(99, 4, 100, 99, 99), 96u);
    EXPECT_EQ(follow_window(5, 4, 2, 0, 1), 0u);
}

TEST_F(StageLayoutTest, bad_window_and_panel_sizes_do_no_harm) {
    const ArrayPlan plan = make(array(symbol, 40), {2, ~0ull, ~0ull}).plans[0];
    EXPECT_LE(plan.first_row + plan.shown_rows, plan.rows);
    for (float width : {0.0f, 1.0f, 50.0f})
        EXPECT_GE(make(array(symbol, 40), {}, frame(width, 0)).height, 0);
    EXPECT_EQ(make(array(symbol, 1)).plans[0].shown_columns, 1u);
}

}  // namespace stage_layout_test
}  // namespace lanescope::scene
