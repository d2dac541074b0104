#include "scene/stage/stage_arrows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::scene {
namespace stage_arrows_test {

constexpr RowShape columns[] = {{32, false}, {32, false}};

// Returns links with one offset: thread i × step links cell first + i × step to that cell + offset.
std::vector<Link> links(std::uint32_t from, std::uint32_t to, std::uint64_t first, std::uint64_t step,
                        int count, std::int64_t offset) {
    std::vector<Link> made;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t index = first + static_cast<std::uint64_t>(i) * step;
        made.push_back({{from, index},
                        {to, index + static_cast<std::uint64_t>(offset)},
                        static_cast<std::uint32_t>(static_cast<std::uint64_t>(i) * step),
                        false});
    }
    return made;
}

std::size_t count(const ArrowSet& set, Arrow::Shape shape) {
    return static_cast<std::size_t>(std::count_if(set.arrows.begin(), set.arrows.end(),
                                                  [&](const Arrow& a) { return a.shape == shape; }));
}

TEST(StageArrows, sparse_links_of_a_row_are_labelled_arcs) {
    const ArrowSet set = make_arrows(links(0, 0, 2, 4, 8, -2), columns);
    ASSERT_EQ(set.arrows.size(), 8u);
    EXPECT_EQ(count(set, Arrow::Shape::arc), 8u);
    EXPECT_EQ(set.arrows[1].label(), "t4");
    EXPECT_FALSE(set.arrows[1].faint);
    EXPECT_EQ(set.arrows[1].from.first_column, 6u);
    EXPECT_EQ(set.arrows[1].to.first_column, 4u);
}

TEST(StageArrows, dense_links_of_a_row_become_one_bracket) {
    const ArrowSet set = make_arrows(links(0, 0, 16, 1, 16, -16), columns);
    ASSERT_EQ(set.arrows.size(), 1u);
    const Arrow& arrow = set.arrows[0];
    EXPECT_EQ(arrow.shape, Arrow::Shape::bracket);
    EXPECT_EQ(arrow.count, 16u);
    EXPECT_EQ(arrow.label(), "t0…t15");
    EXPECT_EQ(arrow.from.first_column, 16u);
    EXPECT_EQ(arrow.from.last_column, 31u);
    EXPECT_EQ(arrow.to.last_column, 15u);
}

TEST(StageArrows, copies_between_arrays_become_one_band) {
    const ArrowSet set = make_arrows(links(0, 1, 0, 1, 64, 0), columns);
    ASSERT_EQ(set.arrows.size(), 1u);
    EXPECT_EQ(set.arrows[0].shape, Arrow::Shape::band);
    EXPECT_EQ(set.arrows[0].from.last_row, 1u);
    EXPECT_EQ(set.arrows[0].label(), "t0…t63");
}

TEST(StageArrows, rows_far_apart_become_a_band_and_mixed_rows_one_each) {
    const ArrowSet apart = make_arrows(links(0, 0, 64, 1, 64, -64), columns);
    ASSERT_EQ(apart.arrows.size(), 1u);
    EXPECT_EQ(apart.arrows[0].shape, Arrow::Shape::band);
    // The offset is one row over four rows, so sources and destinations overlap.
    const ArrowSet mixed = make_arrows(links(0, 0, 32, 1, 96, -32), columns);
    EXPECT_EQ(count(mixed, Arrow::Shape::band), 3u);
}

TEST(StageArrows, few_links_between_arrays_are_curves) {
    const ArrowSet set = make_arrows(links(0, 1, 0, 8, 4, 0), columns);
    EXPECT_EQ(count(set, Arrow::Shape::curve), 4u);
    EXPECT_FALSE(set.arrows[0].faint);
}

TEST(StageArrows, too_many_curves_become_one_band) {
    std::vector<Link> scattered;
    for (std::uint32_t t = 0; t < 256; ++t)
        scattered.push_back({{0, t}, {1, (t * 37) % 256}, t, false});
    const ArrowSet set = make_arrows(scattered, columns);
    EXPECT_TRUE(set.left_out);
    ASSERT_EQ(set.arrows.size(), 1u);
    EXPECT_EQ(set.arrows[0].shape, Arrow::Shape::band);
    EXPECT_EQ(set.arrows[0].count, 256u);
    EXPECT_EQ(set.arrows[0].from.last_row, 7u);
}

TEST(StageArrows, each_value_has_a_curve_to_the_bar_that_it_chose) {
    constexpr RowShape bars[] = {{32, false}, {8, false, 0, true}};
    std::vector<Link> chosen;
    for (std::uint32_t i = 0; i < 64; ++i)
        chosen.push_back({{0, i}, {1, i * 5 % 8}, i, false});
    const ArrowSet set = make_arrows(chosen, bars);
    EXPECT_EQ(count(set, Arrow::Shape::curve), 64u);
    EXPECT_TRUE(set.arrows[0].faint);
    EXPECT_EQ(make_arrows(links(0, 1, 0, 1, 16, 0), bars).arrows.size(), 1u) << "copies stay one band";
}

TEST(StageArrows, matrices_get_few_curves) {
    constexpr RowShape matrices[] = {{8, true}, {8, true}};
    std::vector<Link> transposed;
    for (std::uint32_t t = 0; t < 32; ++t)
        transposed.push_back({{0, t}, {1, t % 8 * 8 + t / 8}, t, false});
    EXPECT_TRUE(make_arrows(transposed, matrices).left_out);
    EXPECT_FALSE(make_arrows(transposed, columns).left_out);
}

TEST(StageArrows, conflicts_stay_conflicts) {
    std::vector<Link> made = links(0, 0, 16, 1, 16, -16);
    made[3].conflict = true;
    EXPECT_TRUE(make_arrows(made, columns).arrows[0].conflict);
}

TEST(StageArrows, bad_array_numbers_and_no_columns_do_no_harm) {
    const RowShape none[] = {{0, false}};
    EXPECT_EQ(make_arrows(links(7, 9, 0, 1, 3, 0), none).arrows.size(), 3u);
    EXPECT_TRUE(make_arrows({}, columns).arrows.empty());
}

TEST(StageArrows, crossing_counts_only_real_overlap) {
    const std::vector<ColumnArc> touching{{0, 2, 0, false}, {2, 4, 0, false}, {4, 6, 0, false}};
    EXPECT_EQ(busiest_crossing(touching), 1u);
    const std::vector<ColumnArc> nested{{0, 8, 0, false}, {1, 9, 0, false}, {7, 2, 0, false}};
    EXPECT_EQ(busiest_crossing(nested), 3u);
}

TEST(StageArrows, labels_never_overlap) {
    const float centres[] = {10, 20, 30, 60}, widths[] = {18, 18, 18, 18};
    const std::vector<bool> kept = labels_that_fit(centres, widths, 2);
    EXPECT_EQ(kept, (std::vector<bool>{true, false, true, true}));
}

}  // namespace stage_arrows_test
}  // namespace lanescope::scene
