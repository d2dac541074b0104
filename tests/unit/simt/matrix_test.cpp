// Tensor-core instructions. Fragment layouts and results follow from PTX ISA 9.7.14. Products of small
// integers are exact in every rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "device.h"
#include "simt/inspect/matrix_layout.h"
#include "simt/math/dot_product.h"
#include "simt/math/small_floats.h"

namespace lanescope::simt {
namespace matrix_test {

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using trace::ProblemKind;

U16 half(int number) {  // the f16 of a small integer
    if (number == 0) return 0;
    const int magnitude = std::abs(number), exponent = std::bit_width(static_cast<unsigned>(magnitude)) - 1;
    const int mantissa = (magnitude << (10 - exponent)) & 0x3ff;
    return static_cast<U16>((number < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | mantissa);
}

// Elements of A, B and C. They are small, so that every sum is exact in f16, too.
int number_a(unsigned row, unsigned column) {
    return static_cast<int>((row * 3 + column * 5) % 7) - 3;
}
int number_b(unsigned row, unsigned column) {
    return static_cast<int>((row * 2 + column * 3) % 5) - 2;
}
int number_c(unsigned row, unsigned column) {
    return static_cast<int>((row + column * 2) % 9) - 4;
}
int product(unsigned row, unsigned column, unsigned k) {
    int sum = number_c(row, column);
    for (unsigned i = 0; i < k; ++i)
        sum += number_a(row, i) * number_b(i, column);
    return sum;
}

struct Wmma {
    const char* shape;
    unsigned m, n, k;
    bool a_row, b_row;
    bool halves;  // f16 accumulators
};
class WmmaShapes : public testing::TestWithParam<Wmma> {};
INSTANTIATE_TEST_SUITE_P(Matrix, WmmaShapes,
                         testing::Values(Wmma{"m16n16k16", 16, 16, 16, true, true, false},
                                         Wmma{"m16n16k16", 16, 16, 16, true, false, false},
                                         Wmma{"m16n16k16", 16, 16, 16, false, true, true},
                                         Wmma{"m16n16k16", 16, 16, 16, false, false, true},
                                         Wmma{"m32n8k16", 32, 8, 16, true, false, false},
                                         Wmma{"m32n8k16", 32, 8, 16, false, true, true},
                                         Wmma{"m8n32k16", 8, 32, 16, true, false, false},
                                         Wmma{"m8n32k16", 8, 32, 16, false, true, true}));

std::string registers(const std::string& prefix, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i)
        text += (i == 0 ? "%" : ", %") + prefix + std::to_string(i);
    return text + "}";
}

std::string wmma_kernel(const Wmma& form) {
    const std::string shape = form.shape, accumulator = form.halves ? "f16" : "f32";
    const std::string a = form.a_row ? "row" : "col", b = form.b_row ? "row" : "col";
    const std::string c = registers("c", form.halves ? 4 : 8), d = registers("d", form.halves ? 4 : 8);
    return with_header(
        ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {\n.reg .b32 "
        "%a<8>, %b<8>, %c<8>, %d<8>, %s;\n.reg .b64 %pa, %pb, %pc, %pd;\nld.param.u64 %pa, "
        "[pa];\nld.param.u64 %pb, [pb];\nld.param.u64 %pc, [pc];\nld.param.u64 %pd, [pd];\n"
        "mov.u32 %s, 40;\nwmma.load.a.sync.aligned." +
        a + "." + shape + ".global.f16 " + registers("a", 8) + ", [%pa], %s;\nwmma.load.b.sync.aligned." + b +
        "." + shape + ".f16 " + registers("b", 8) + ", [%pb];\nwmma.load.c.sync.aligned.row." + shape +
        ".global." + accumulator + " " + c + ", [%pc];\nwmma.mma.sync.aligned." + a + "." + b + "." + shape +
        "." + accumulator + "." + accumulator + " " + d + ", " + registers("a", 8) + ", " +
        registers("b", 8) + ", " + c + ";\nwmma.store.d.sync.aligned.col." + shape + ".global." +
        accumulator + " [%pd], " + d + ";\nret;\n}\n");
}

TEST_P(WmmaShapes, multiply_and_add) {
    const Wmma form = GetParam();
    Device device(wmma_kernel(form));
    std::vector<U16> a(40 * 32), b(form.k * form.n);
    for (unsigned i = 0; i < form.m; ++i)
        for (unsigned j = 0; j < form.k; ++j)
            a[form.a_row ? i * 40 + j : j * 40 + i] = half(number_a(i, j));
    for (unsigned i = 0; i < form.k; ++i)
        for (unsigned j = 0; j < form.n; ++j)
            b[form.b_row ? i * form.n + j : j * form.k + i] = half(number_b(i, j));
    std::vector<float> floats(form.m * form.n);
    std::vector<U16> halves(form.m * form.n);
    for (unsigned i = 0; i < form.m; ++i)
        for (unsigned j = 0; j < form.n; ++j) {
            floats[i * form.n + j] = static_cast<float>(number_c(i, j));
            halves[i * form.n + j] = half(number_c(i, j));
        }
    const DeviceAddress pc = form.halves ? device.buffer(halves) : device.buffer(floats);
    const DeviceAddress pd = device.uninit<float>(form.m * form.n);
    EXPECT_EQ(device.run("k", {1, 1, 1}, {32, 1, 1}, device.buffer(a), device.buffer(b), pc, pd).ending,
              Ending::finished);
    EXPECT_EQ(device.kinds(), Kinds{});
    for (unsigned i = 0; i < form.m; ++i)
        for (unsigned j = 0; j < form.n; ++j) {
            const int expected = product(i, j, form.k);
            if (form.halves)
                ASSERT_EQ(device.read<U16>(pd + 2 * (j * form.m + i), 1)[0], half(expected))
                    << i << ", " << j;
            else
                ASSERT_EQ(device.read<float>(pd + 4 * (j * form.m + i), 1)[0], static_cast<float>(expected))
                    << i << ", " << j;
        }
}

// Compiled by nvcc for sm_90 from tests/corpus/k28_wmma.cu: 16 x 16 tiles, A by rows, B by columns.
TEST(Matrix, wmma_code_of_sm_90) {
    Device device(corpus("k28_wmma.sm_90.ptx"));
    std::vector<U16> a(256), b(256);
    for (unsigned i = 0; i < 16; ++i)
        for (unsigned j = 0; j < 16; ++j) {
            a[i * 16 + j] = half(number_a(i, j));
            b[j * 16 + i] = half(number_b(i, j));
        }
    const DeviceAddress c = device.uninit<float>(256);
    EXPECT_EQ(device.run("wmmaTile", {1, 1, 1}, {32, 1, 1}, device.buffer(a), device.buffer(b), c).ending,
              Ending::finished);
    EXPECT_EQ(device.kinds(), Kinds{});
    const std::vector<float> found = device.read<float>(c, 256);
    for (unsigned i = 0; i < 16; ++i)
        for (unsigned j = 0; j < 16; ++j)
            ASSERT_EQ(found[i * 16 + j], static_cast<float>(product(i, j, 16) - number_c(i, j)));
}

// Runs `code` in one warp. Lane i gets words i, 32 + i, … of the input in %a0, %a1, …;
// %d0, … are stored likewise.
std::vector<U32> run_warp(const std::string& code, const std::vector<U32>& input, unsigned results,
                          U32 threads = 32, Kinds kinds = {}) {
    std::string loads, stores;
    for (std::size_t i = 0; i < input.size() / 32; ++i)
        loads += "ld.global.b32 %a" + std::to_string(i) + ", [%i+" + std::to_string(i * 128) + "];\n";
    for (unsigned i = 0; i < results; ++i)
        stores += "st.global.b32 [%o+" + std::to_string(i * 128) + "], %d" + std::to_string(i) + ";\n";
    const std::string text = (with_header(
        ".visible .entry k(.param .u64 pi, .param .u64 po) {\n.shared .align 128 .b8 "
        "box[1024];\n.reg .pred %p;\n.reg .b32 %a<16>, %d<8>, %t, %s, %r<4>;\n.reg .b64 %i, %o;\n"
        "mov.u32 %t, %tid.x;\nld.param.u64 %i, [pi];\nmad.wide.u32 %i, %t, 4, %i;\nld.param.u64 "
        "%o, [po];\nmad.wide.u32 %o, %t, 4, %o;\nmov.u32 %s, box;\n" +
        loads + code + "\n" + stores + "ret;\n}\n"));
    Device device(text), recorded(text);
    const DeviceAddress out = device.buffer(std::vector<U32>(results * 32, 0));
    device.run("k", {1, 1, 1}, {threads, 1, 1}, device.buffer(input), out);
    EXPECT_EQ(device.kinds(), kinds);
    const std::vector<U32> found = device.read<U32>(out, results * 32);
    const DeviceAddress again = recorded.buffer(std::vector<U32>(results * 32, 0)),
                        in = recorded.buffer(input);
    recorded.record();
    recorded.run("k", {1, 1, 1}, {threads, 1, 1}, in, again);
    EXPECT_EQ(recorded.read<U32>(again, results * 32), found);
    expect_replay(recorded, again, results * 128);
    return found;
}

// The tables of PTX ISA 9.7.14.5 for matrices with 16 rows, register by register.
struct Mma {
    const char* name;
    const char* types;
    unsigned k, bits;  // columns of A; bits of an element of A and B
    bool floats, is_signed;
    unsigned a_registers, b_registers;
};
class MmaShapes : public testing::TestWithParam<Mma> {};
INSTANTIATE_TEST_SUITE_P(
    Matrix, MmaShapes,
    testing::Values(Mma{"f16_k8", "m16n8k8.row.col.f32.f16.f16.f32", 8, 16, true, true, 2, 1},
                    Mma{"f16_k16", "m16n8k16.row.col.f32.f16.f16.f32", 16, 16, true, true, 4, 2},
                    Mma{"s8_k16", "m16n8k16.row.col.s32.s8.s8.s32", 16, 8, false, true, 2, 1},
                    Mma{"s8_k32", "m16n8k32.row.col.s32.s8.s8.s32", 32, 8, false, true, 4, 2},
                    Mma{"s4_k32", "m16n8k32.row.col.s32.s4.s4.s32", 32, 4, false, true, 2, 1},
                    Mma{"s4_k64", "m16n8k64.row.col.s32.s4.s4.s32", 64, 4, false, true, 4, 2},
                    Mma{"tf32_k4", "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 32, true, true, 2, 1},
                    Mma{"tf32_k8", "m16n8k8.row.col.f32.tf32.tf32.f32", 8, 32, true, true, 4, 2}),
    [](const auto& made) { return made.param.name; });

U32 element(const Mma& form, int number) {
    if (form.bits == 32) return std::bit_cast<U32>(static_cast<float>(number));
    return form.floats ? half(number) : static_cast<U32>(number) & ((1u << form.bits) - 1);
}

TEST_P(MmaShapes, fragments_lie_as_documented) {
    const Mma form = GetParam();
    const unsigned per = 32 / form.bits;
    std::vector<U32> input;
    for (unsigned reg = 0; reg < form.a_registers; ++reg)
        for (unsigned lane = 0; lane < 32; ++lane) {
            U32 word = 0;
            for (unsigned e = 0; e < per; ++e) {
                // "row = groupID for a0, a1 …, groupID + 8 for the next; col = threadID_in_group * per + e,
                // then + 4 per"
                const unsigned row = lane / 4 + (reg % 2) * 8,
                               column = lane % 4 * per + e + reg / 2 * 4 * per;
                word |= element(form, number_a(row, column)) << (form.bits == 32 ? 0 : e * form.bits);
            }
            input.push_back(word);
        }
    for (unsigned reg = 0; reg < form.b_registers; ++reg)
        for (unsigned lane = 0; lane < 32; ++lane) {
            U32 word = 0;
            for (unsigned e = 0; e < per; ++e)
                word |= element(form, number_b(lane % 4 * per + e + reg * 4 * per, lane / 4))
                        << (form.bits == 32 ? 0 : e * form.bits);
            input.push_back(word);
        }
    auto place = [](unsigned lane, unsigned i) {
        return std::pair(lane / 4 + (i >= 2 ? 8 : 0), lane % 4 * 2 + i % 2);
    };
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned lane = 0; lane < 32; ++lane) {
            const auto [row, column] = place(lane, i);
            const int number = number_c(row, column);
            input.push_back(form.floats ? std::bit_cast<U32>(static_cast<float>(number))
                                        : static_cast<U32>(number));
        }
    auto names = [](unsigned first, unsigned count) {
        std::string text = "{";
        for (unsigned i = 0; i < count; ++i)
            text += (i == 0 ? "%a" : ", %a") + std::to_string(first + i);
        return text + "}";
    };
    const unsigned c = form.a_registers + form.b_registers;
    const std::vector<U32> found =
        run_warp("mma.sync.aligned." + std::string(form.types) + " {%d0, %d1, %d2, %d3}, " +
                     names(0, form.a_registers) + ", " + names(form.a_registers, form.b_registers) + ", " +
                     names(c, 4) + ";",
                 input, 4);
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned lane = 0; lane < 32; ++lane) {
            const auto [row, column] = place(lane, i);
            const int expected = product(row, column, form.k);
            const U32 word = found[i * 32 + lane];
            if (form.floats)
                ASSERT_EQ(std::bit_cast<float>(word), static_cast<float>(expected)) << row << ", " << column;
            else
                ASSERT_EQ(static_cast<int>(word), expected) << row << ", " << column;
        }
}

TEST(Matrix, integer_sums_wrap_or_saturate) {
    const std::vector<U32> input(32 * 4, 0x7f7f7f7f);  // adds 16 x 127 x 127 to C
    const std::string operands = " {%d0, %d1, %d2, %d3}, {%a0, %a1}, {%a2}, {%a3, %a3, %a3, %a3};";
    const U32 sum = 0x7f7f7f7fu + 16 * 127 * 127;
    EXPECT_EQ(run_warp("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32" + operands, input, 4)[5], sum);
    std::vector<U32> high = input;
    std::fill(high.begin() + 96, high.end(), 0x7fffffffu);
    EXPECT_EQ(run_warp("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32" + operands, high, 4)[5],
              0x7fffffffu + 16 * 127 * 127);
    EXPECT_EQ(run_warp("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32" + operands, high, 4)[5],
              0x7fffffffu);
    const std::vector<U32> bytes(32 * 4, 0xffffffff);  // u8: 255 x 255 x 16 - 1
    EXPECT_EQ(run_warp("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32" + operands, bytes, 4)[0],
              255u * 255 * 16 - 1);
    EXPECT_EQ(run_warp("mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32" + operands, bytes, 4)[0],
              -255u * 16 - 1);
}

TEST(Matrix, ldmatrix_spreads_rows_over_lanes) {
    // Element (row, column) of matrix m is 256 m + 16 row + column.
    std::string code =
        "mad.lo.u32 %r0, %t, 16, %s;\nshl.b32 %r1, %t, 4;\nshr.u32 %r2, %t, 3;\nand.b32 %r3, %t, "
        "7;\nshl.b32 %r2, %r2, 8;\nmad.lo.u32 %r1, %r3, 16, %r2;\n";
    for (unsigned column = 0; column < 8; ++column)
        code += "st.shared.u16 [%r0+" + std::to_string(2 * column) + "], %r1;\nadd.u32 %r1, %r1, 1;\n";
    const auto plain =
        run_warp(code + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%d0, %d1, %d2, %d3}, [%r0];", {}, 4);
    const auto turned =
        run_warp(code + "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%d0, %d1, %d2, %d3}, [%r0];", {}, 4);
    for (unsigned m = 0; m < 4; ++m)
        for (unsigned lane = 0; lane < 32; ++lane) {
            const U32 i = lane / 4, j = lane % 4 * 2;
            EXPECT_EQ(plain[m * 32 + lane], (256 * m + 16 * i + j) | (256 * m + 16 * i + j + 1) << 16);
            EXPECT_EQ(turned[m * 32 + lane], (256 * m + 16 * j + i) | (256 * m + 16 * (j + 1) + i) << 16);
        }
    // .x1 uses only the addresses of lanes 0-7.
    const auto one =
        run_warp(code +
                     "setp.gt.u32 %p, %t, 7;\n@%p mov.u32 %r0, 3;\nldmatrix.sync.aligned.m8n8.x1.shared."
                     "b16 {%d0}, [%r0];",
                 {}, 1);
    EXPECT_EQ(one[31], (16u * 7 + 6) | (16u * 7 + 7) << 16);
}

TEST(Matrix, stmatrix_and_movmatrix) {
    std::vector<U32> input(32);
    for (U32 lane = 0; lane < 32; ++lane)
        input[lane] = (lane / 4 * 16 + lane % 4 * 2) | (lane / 4 * 16 + lane % 4 * 2 + 1) << 16;
    const std::string address = "and.b32 %r0, %t, 7;\nmad.lo.u32 %r0, %r0, 16, %s;\n";
    const std::string read = "mad.lo.u32 %r1, %t, 4, %s;\nld.shared.b32 %d0, [%r1];";
    EXPECT_EQ(run_warp(address + "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%a0};\n" + read, input, 1),
              input);
    std::vector<U32> turned(32);
    for (U32 lane = 0; lane < 32; ++lane)
        turned[lane] = (lane % 4 * 2 * 16 + lane / 4) | ((lane % 4 * 2 + 1) * 16 + lane / 4) << 16;
    EXPECT_EQ(
        run_warp(address + "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r0], {%a0};\n" + read, input, 1),
        turned);
    EXPECT_EQ(run_warp("movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;", input, 1), turned);
}

TEST(Matrix, wrong_use_is_located) {
    const std::string move = "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;";
    const std::vector<U32> input(32, 1);
    run_warp(move, input, 1, 16, Kinds{ProblemKind::unsynced_lanes});
    run_warp("setp.lt.u32 %p, %t, 16;\n@!%p ret;\n" + move, input, 1, 32, Kinds{ProblemKind::unsynced_lanes});
    run_warp("setp.lt.u32 %p, %t, 16;\n@%p bra L;\nbar.sync 0;\nret;\nL:\n" + move, input, 1, 32,
             Kinds{ProblemKind::deadlock});
    run_warp("add.u32 %s, %s, 8;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%s];", input, 1, 32,
             Kinds{ProblemKind::misaligned});
    run_warp("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%s];", input, 1, 32,
             Kinds{ProblemKind::uninitialised});
    run_warp(
        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, "
        "[%s+16];",
        input, 1, 32, Kinds{ProblemKind::misaligned});
    run_warp(
        "mov.u32 %r0, 17;\nwmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%d0, %d1, %d2, %d3, %d4, %d5, "
        "%d6, "
        "%d7}, [%s], %r0;",
        input, 1, 32, Kinds{ProblemKind::misaligned});
}

TEST(Matrix, lanes_that_come_late_are_waited_for) {
    std::vector<U32> input(32);
    std::iota(input.begin(), input.end(), 0u);
    const std::string move = "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;";
    EXPECT_EQ(
        run_warp(
            "setp.lt.u32 %p, %t, 16;\n@%p bra L;\nadd.u32 %a0, %a0, 1;\nsub.u32 %a0, %a0, 1;\nL:\n" + move,
            input, 1),
        run_warp(move, input, 1));
}

float dot(float sum, const std::vector<double>& a, const std::vector<double>& b, DotModel model) {
    std::vector<Factor> x, y;
    for (std::size_t i = 0; i < a.size(); ++i) {
        x.push_back(factor_of(a[i], -14));
        y.push_back(factor_of(b[i], -14));
    }
    return accumulate_float(sum, x.data(), y.data(), static_cast<unsigned>(a.size()), model);
}

TEST(DotProduct, terms_are_cut_off_below_the_largest_one) {
    // At 2^24 a float keeps bits down to 2^1. With one extra bit, the sum keeps each 1
    // and is cut off at its end.
    EXPECT_EQ(dot(0x1p24f, {1, 1}, {1, 1}, {16, 1}), 0x1p24f + 2);
    EXPECT_EQ(dot(0x1p24f, {1, 1}, {1, 1}, {16, 0}), 0x1p24f);
    EXPECT_EQ(dot(0x1p24f, {1, 1}, {1, 1}, {1, 1}), 0x1p24f)
        << "added one after the other, each 1 is cut off";
    EXPECT_EQ(dot(0x1p24f, {1}, {-0.5}, {16, 2}), 0x1p24f - 1) << "the sum is cut off toward zero";
    EXPECT_EQ(dot(1, {1, 1}, {0x1p-14, -0x1p-14}, {16, 2}), 1.0f);
}

TEST(DotProduct, special_values) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(dot(1, {infinity}, {2}, {16, 2}), std::numeric_limits<float>::infinity());
    EXPECT_EQ(std::bit_cast<U32>(dot(1, {infinity, -infinity}, {1, 1}, {16, 2})), 0x7fffffffu);
    EXPECT_EQ(std::bit_cast<U32>(dot(1, {infinity}, {0}, {16, 2})), 0x7fffffffu);
    EXPECT_EQ(std::bit_cast<U32>(dot(0, {1, -1}, {1, 1}, {16, 2})), 0u);
    EXPECT_EQ(dot(0, {0x1p-24}, {0x1p-24}, {16, 2}), 0x1p-48f);
    EXPECT_EQ(dot(0x1p-149f, {0}, {0}, {16, 2}), 0x1p-149f);
    EXPECT_EQ(dot(std::numeric_limits<float>::max(), {65504.0}, {65504.0}, {16, 2}),
              std::numeric_limits<float>::max());
}

TEST(SmallFloats, known_values) {
    EXPECT_EQ(e4m3_to_float(0x38), 1.0f);
    EXPECT_EQ(e4m3_to_float(0x7e), 448.0f);
    EXPECT_EQ(e4m3_to_float(0x01), 0x1p-9f);
    EXPECT_TRUE(std::isnan(e4m3_to_float(0xff)));
    EXPECT_EQ(e5m2_to_float(0x3c), 1.0f);
    EXPECT_EQ(e5m2_to_float(0x7b), 57344.0f);
    EXPECT_EQ(e5m2_to_float(0x01), 0x1p-16f);
    EXPECT_EQ(e5m2_to_float(0xfc), -std::numeric_limits<float>::infinity());
    EXPECT_TRUE(std::isnan(e5m2_to_float(0x7d)));
}

}  // namespace matrix_test
}  // namespace lanescope::simt
