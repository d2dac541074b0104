// Names layouts from places, and only those that a formula reproduces; fragments as CuTe writes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "analysis/bank_passes.h"
#include "analysis/layouts/fragments.h"
#include "analysis/layouts/matrix_rows.h"
#include "analysis/layouts/naming.h"

namespace lanescope::analysis {
namespace layouts_test {

template <class F>
LayoutName named(std::uint32_t rows, std::uint32_t columns, F&& offset) {
    std::vector<PlacedElement> elements;
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
            elements.push_back({row, column, static_cast<std::int64_t>(offset(row, column))});
    return name_layout(elements, rows, columns);
}

TEST(LayoutName, PlainLayouts) {
    EXPECT_EQ(named(32, 32, [](auto r, auto c) { return r * 32 + c; }).text, "row-major, stride 32");
    EXPECT_EQ(named(32, 32, [](auto r, auto c) { return r * 33 + c; }).text,
              "row-major, stride 33 (32 + 1 padding)");
    EXPECT_EQ(named(7, 5, [](auto r, auto c) { return 40 + c * 7 + r; }).text, "column-major, stride 7");
    EXPECT_EQ(named(1, 64, [](auto, auto c) { return 3 + c; }).text, "contiguous");
    EXPECT_EQ(named(8, 8, [](auto r, auto c) { return r * 64 + c * 2; }).text, "(8,8):(64,2)");
}

TEST(LayoutName, SwizzlesInElements) {
    const LayoutName floats = named(32, 32, [](auto r, auto c) { return r * 32 + (c ^ r); });
    EXPECT_EQ(floats.text, "Swizzle<5,0,5> on row-major 32×32");
    // Rows of 64 halves, whose groups of 8 are permuted by the row: the swizzle of 128 bytes.
    const LayoutName halves =
        named(64, 64, [](auto r, auto c) { return r * 64 + (c / 8 ^ r % 8) * 8 + c % 8; });
    EXPECT_EQ(halves.text, "Swizzle<3,3,3> on row-major 64×64");
    EXPECT_EQ(halves.stride, "(64,1)");
    EXPECT_EQ(named(16, 16, [](auto r, auto c) { return r * 16 + ((c / 8 ^ r / 4) % 2) * 8 + c % 8; }).text,
              "Swizzle<1,3,3> on row-major 16×16");
    EXPECT_EQ(named(32, 32, [](auto r, auto c) { return (r ^ c) * 32 + c; }).text,
              "Swizzle<5,0,-5> on row-major 32×32");
}

TEST(LayoutName, NestedModes) {
    // CuTe's ((2,4),8):((1,16),2)
    const LayoutName nested = named(8, 8, [](auto r, auto c) { return r % 2 + r / 2 * 16 + c * 2; });
    EXPECT_EQ(nested.text, "((2,4),8):((1,16),2)");
    EXPECT_EQ(nested.kind, LayoutName::Kind::linear);
}

TEST(LayoutName, LinearInBitsOnly) {
    const LayoutName bits =
        named(4, 4, [](auto r, auto c) { return (r & 1) * 5 ^ (r >> 1) * 3 ^ (c & 1) * 9 ^ (c >> 1) * 15; });
    EXPECT_EQ(bits.kind, LayoutName::Kind::bits) << bits.text;
}

TEST(LayoutName, EveryNameReproducesEveryElement) {
    std::vector<std::int64_t> places(32 * 32);
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::iota(places.begin(), places.end(), 0);
        std::shuffle(places.begin(), places.end(), std::mt19937(seed));
        const LayoutName name = named(32, 32, [&](auto r, auto c) { return places[r * 32 + c]; });
        EXPECT_FALSE(name.exact()) << name.text;
    }
    // One element at a wrong place is enough.
    std::iota(places.begin(), places.end(), 0);
    std::swap(places[5], places[900]);
    const LayoutName name = named(32, 32, [&](auto r, auto c) { return places[r * 32 + c]; });
    EXPECT_EQ(name.text, "not linear: 1022 of 1024 elements follow row-major, stride 32");
}

TEST(LayoutName, SomeElementsAreEnoughIfTheyAreJoined) {
    const std::vector<PlacedElement> triangle{{0, 0, 10}, {1, 0, 14}, {1, 1, 15}, {2, 0, 18}, {2, 2, 20}};
    EXPECT_EQ(name_layout(triangle, 3, 3).text, "row-major, stride 4 (3 + 1 padding)");
    const std::vector<PlacedElement> diagonal{{0, 0, 0}, {1, 1, 5}, {2, 2, 10}};
    EXPECT_FALSE(name_layout(diagonal, 3, 3).exact());
}

TEST(LayoutRows, RowsOfAnArrayOfOneDimension) {
    EXPECT_EQ(row_length(std::vector<std::uint64_t>{64, 65, 96, 97, 160, 161}), 32u);
    EXPECT_EQ(row_length(std::vector<std::uint64_t>{4, 5, 6, 7}), 0u);
    EXPECT_EQ(row_length(std::vector<std::uint64_t>{0, 1, 2, 7, 9}), 0u);
}

// NVIDIA CUTLASS, include/cute/atom/mma_traits_sm80.hpp: MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>.
TEST(Fragments, ThoseOfMmaAreCuTesAtoms) {
    trace::Program program;
    program.ptx =
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .b32 %r<8>;\n.reg .f32 %f<8>;\n.reg .b64 %d<2>;\n"
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
        "{%f0,%f1,%f2,%f3};\n"
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0,%r1}, [%d0];\n"
        "ret;\n}\n";
    program.code_rows = {{0, 1, 1, 9}, {0, 2, 1, 10}, {0, 3, 1, 11}};
    const Code code(program);
    const std::vector<Fragments> found = fragments_of(code, {0, 1, 2, 0});
    ASSERT_EQ(found.size(), 2u);
    ASSERT_EQ(found[0].operands.size(), 3u);
    EXPECT_EQ(found[0].operands[0].name.text, "((4,8),(2,2,2)):((32,1),(16,8,128))");
    EXPECT_EQ(found[0].operands[1].name.text, "((4,8),(2,2)):((16,1),(8,64))");
    EXPECT_EQ(found[0].operands[2].name.text, "((4,8),(2,2)):((32,1),(16,8))");
    ASSERT_EQ(found[1].operands.size(), 2u);
    const FragmentCell& cell = found[1].operands[1].cells[2 * 5 + 1];  // lane 5
    EXPECT_EQ(cell.row, 1u);
    EXPECT_EQ(cell.column, 3u);
    EXPECT_EQ(cell.reg, 1u);
}

// A conflict counts among lanes that are served together.
TEST(BankPasses, WideAccessesGoByPartsOfTheWarp) {
    trace::Access access;
    access.space = trace::Space::shared;
    access.mask = ~0u;
    access.width_bytes = 16;
    for (unsigned lane = 0; lane < 32; ++lane)
        access.offset[lane] = lane % 8 * 16 + lane / 8 * 128;
    const std::vector<BankPass> rows = bank_passes(access, Addressing::generic);
    ASSERT_EQ(rows.size(), 4u);
    for (const BankPass& pass : rows)
        EXPECT_EQ(pass.wavefronts, 1u);
    EXPECT_EQ(rows[1].lanes, 0xff00u);
    for (unsigned lane = 0; lane < 32; ++lane)
        access.offset[lane] = lane * 64;  // four of eight lanes need the same banks
    EXPECT_EQ(bank_passes(access, Addressing::generic)[0].wavefronts, 4u);
}

}  // namespace layouts_test
}  // namespace lanescope::analysis
