#include "scene/stage/stage_arrays.h"

#include <gtest/gtest.h>

#include "scene_fixture.h"

namespace lanescope::scene {
namespace stage_arrays_test {

TEST(StageArrays, cells_of_an_access) {
    SceneFixture f;
    const CellSpan one = cells_at(f.arrays, trace::Space::shared, 4 * 14, 4);
    EXPECT_EQ(f.arrays[one.array].symbol->name, "s");
    EXPECT_EQ(one.first, 14u);
    EXPECT_EQ(one.count, 1u);
    const CellSpan vector = cells_at(f.arrays, trace::Space::global, 4 * 8, 16);
    EXPECT_EQ(vector.first, 8u);
    EXPECT_EQ(vector.count, 4u);
}

TEST(StageArrays, bad_addresses_belong_to_no_array) {
    SceneFixture f;
    EXPECT_EQ(cells_at(f.arrays, trace::Space::shared, 256, 4).count, 0u);
    EXPECT_EQ(cells_at(f.arrays, trace::Space::global, ~0ull, 16).count, 0u);
    EXPECT_EQ(cells_at(f.arrays, trace::Space::local, 0, 4).count, 0u);
    // An access that reaches past the end touches the last cell.
    EXPECT_EQ(cells_at(f.arrays, trace::Space::shared, 252, 16).count, 1u);
}

TEST(StageArrays, bad_symbols_do_no_harm) {
    SceneFixture f;
    trace::Symbol empty = f.symbol("empty", trace::Space::global, 1024, {0});
    trace::Symbol untyped = f.symbol("untyped", trace::Space::global, 2048, {16});
    untyped.element = 9999;
    trace::Symbol wide = f.symbol("wide", trace::Space::global, 4096, {2, 1000});
    wide.size_bytes = 16;  // smaller than its extents
    f.trace.symbols.insert(f.trace.symbols.end(), {empty, untyped, wide});
    for (const StageArray& array : stage_arrays(f.trace, 0, {})) {
        EXPECT_GT(array.count, 0u);
        EXPECT_GT(array.cell_bytes, 0u);
        EXPECT_LE(array.columns, array.count);
    }
    EXPECT_FALSE(stage_arrays(f.trace, 77, {}).empty());
}

TEST(StageArrays, details_name_space_and_size) {
    SceneFixture f;
    EXPECT_EQ(f.arrays[f.array("s")].detail(), "shared · 256 B");
    EXPECT_EQ(f.arrays[f.array("in")].detail(), "global");
    EXPECT_EQ(size_text(4096), "4 KB");
    EXPECT_EQ(size_text(1536), "1.5 KB");
}

TEST(StageArrays, matrices_have_columns) {
    SceneFixture f;
    f.trace.symbols.push_back(f.symbol("m", trace::Space::global, 8192, {7, 9}));
    f.arrays = stage_arrays(f.trace, 0, {});
    ASSERT_NE(f.array("m"), trace::none);
    EXPECT_EQ(f.arrays[f.array("m")].columns, 9u);
}

}  // namespace stage_arrays_test
}  // namespace lanescope::scene
