// Loads, stores, atomics, parameters, module-scope variables, and memory functions of the host.
#include <gtest/gtest.h>

#include <cmath>

#include "device.h"
#include "simt/memory/memory.h"

namespace lanescope::simt {
namespace memory_test {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

// Runs a kernel on a buffer of 64-bit words at %b; %i is the thread, %o the address of
// its word. Returns the words.
std::vector<U64> words_after(const std::vector<U64>& words, const std::string& code, U32 threads = 1,
                             const std::string& before = "") {
    Device device(with_header(before +
                              ".visible .entry k(.param .u64 pb) {\n.reg .pred %p<4>;\n.reg .b16 "
                              "%h<8>;\n.reg .b32 %i, %r<8>;\n.reg .f32 %f<4>;\n.reg .f64 %d<4>;\n"
                              ".reg .b64 %b, %o, %l<8>;\nmov.u32 %i, %tid.x;\nld.param.u64 %b, "
                              "[pb];\nmad.wide.u32 %o, %i, 8, %b;\n" +
                              code + "\nret;\n}\n"));
    const DeviceAddress buffer = device.buffer(words, "words");
    EXPECT_EQ(device.run("k", {1, 1, 1}, {threads, 1, 1}, buffer).ending, Ending::finished);
    EXPECT_EQ(device.kinds(), Kinds{});
    return device.read<U64>(buffer, words.size());
}

TEST(Memory, widths_and_signs) {
    const std::vector<U64> start{0x8877665544332211ull, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(
        words_after(
            start,
            "ld.global.u8 %r0, [%b+7];\nld.global.s8 %r1, [%b+7];\nld.global.u16 %r2, [%b+6];\nld.global.s16 "
            "%r3, [%b+6];\nld.global.s32 %l0, [%b+4];\nld.global.u32 %l1, [%b+4];\n"
            "st.global.u32 [%b+8], %r0;\nst.global.u32 [%b+16], %r1;\nst.global.u32 [%b+24], "
            "%r2;\nst.global.u32 [%b+32], %r3;\nst.global.u64 [%b+40], %l0;\nst.global.u64 [%b+48], %l1;"),
        (std::vector<U64>{start[0], 0x88, 0xffffff88, 0x8877, 0xffff8877, 0xffffffff88776655ull,
                          0x88776655}));
    EXPECT_EQ(words_after(
                  {0, 0},
                  "mov.u32 %r0, 0x12345678;\nst.global.u8 [%b+1], %r0;\nst.global.u16 [%b+2], %r0;\nmov.b64 "
                  "%l0, 0x1122334455667788;\nst.global.u32 [%b+8], %l0;\nst.global.u8 [%b+15], %l0;"),
              (std::vector<U64>{0x56787800, 0x8800000055667788ull}));
}

TEST(Memory, vectors) {
    EXPECT_EQ(
        words_after(
            {0x0000000200000001ull, 0x0000000400000003ull, 0, 0},
            "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%b];\nst.global.v4.u32 [%b+16], {%r3, %r2, %r1, %r0};"),
        (std::vector<U64>{0x0000000200000001ull, 0x0000000400000003ull, 0x0000000300000004ull,
                          0x0000000100000002ull}));
    EXPECT_EQ(words_after({7, 8, 0, 0},
                          "ld.global.v2.u64 {%l0, %l1}, [%b];\nst.global.v2.u64 [%b+16], {%l1, %l0};"),
              (std::vector<U64>{7, 8, 8, 7}));
    EXPECT_EQ(words_after({0x04030201, 0},
                          "ld.global.v4.u8 {%h0, _, %h1, %h2}, [%b];\nst.global.v2.u8 [%b+8], {%h2, %h0};"),
              (std::vector<U64>{0x04030201, 0x0104}));
    EXPECT_EQ(words_after({0}, "st.global.v2.f32 [%b], {0f3F800000, 0f40000000};"),
              (std::vector<U64>{0x400000003f800000ull}));
}

TEST(Memory, state_spaces_and_generic_addresses) {
    // Accesses each memory space through its own and a generic address, and shared memory
    // through 32-bit addresses.
    const std::string code =
        ".local .align 8 .b8 stack[16];\nmov.u32 %r0, box;\nst.shared.u64 [%r0+8], 11;\nmov.u64 %l0, "
        "box;\ncvta.shared.u64 %l1, %l0;\nld.u64 %l2, [%l1+8];\nst.global.u64 [%b], %l2;\n"
        "st.local.u64 [stack+8], 22;\nmov.u64 %l0, stack;\ncvta.local.u64 %l1, %l0;\nld.u64 %l2, "
        "[%l1+8];\nst.u64 [%b+8], %l2;\n"
        "ld.const.u64 %l3, [fixed+8];\nmov.u64 %l0, fixed;\ncvta.const.u64 %l1, %l0;\nld.u64 %l2, "
        "[%l1];\nadd.u64 %l2, %l2, %l3;\nst.global.u64 [%b+16], %l2;\n"
        "mov.u64 %l0, box;\ncvta.shared.u64 %l1, %l0;\ncvta.to.shared.u64 %l4, %l1;\nld.shared.u64 %l5, "
        "[%l4+8];\nst.global.u64 [%b+24], %l5;";
    EXPECT_EQ(words_after({0, 0, 0, 0}, code, 1, ".const .u64 fixed[2] = {30, 3};\n.shared .u64 box[2];\n"),
              (std::vector<U64>{11, 22, 33, 11}));
}

TEST(Memory, isspacep_knows_the_windows) {
    EXPECT_EQ(words_after(
                  {0},
                  ".shared .u32 box;\n.local .u32 stack;\nmov.u64 %l0, box;\ncvta.shared.u64 %l0, "
                  "%l0;\nmov.u64 %l1, stack;\ncvta.local.u64 %l1, %l1;\n"
                  "isspacep.shared %p0, %l0;\nisspacep.local %p1, %l1;\nisspacep.global %p2, "
                  "%b;\nisspacep.global %p3, %l0;\n"
                  "selp.u32 %r0, 1, 0, %p0;\nselp.u32 %r1, 2, 0, %p1;\nselp.u32 %r2, 4, 0, %p2;\nselp.u32 "
                  "%r3, 8, 0, %p3;\nadd.u32 %r0, %r0, %r1;\nadd.u32 %r0, %r0, %r2;\nadd.u32 %r0, %r0, %r3;\n"
                  "cvt.u64.u32 %l2, %r0;\nst.global.u64 [%b], %l2;"),
              (std::vector<U64>{7}));
}

struct Atomic {
    const char* name;
    const char* code;
    U64 before, after, old;
};
class Atomics : public testing::TestWithParam<Atomic> {};
// One thread updates word 0 and stores the old value to word 1.
INSTANTIATE_TEST_SUITE_P(
    Memory, Atomics,
    testing::Values(Atomic{"add_u32", "atom.global.add.u32 %r0, [%b], 5;", 0xfffffffe, 3, 0xfffffffe},
                    Atomic{"add_s32", "atom.add.s32 %r0, [%b], -5;", 3, 0xfffffffe, 3},
                    Atomic{"min_s32", "atom.global.min.s32 %r0, [%b], -1;", 4, 0xffffffff, 4},
                    Atomic{"min_u32", "atom.global.min.u32 %r0, [%b], 9;", 4, 4, 4},
                    Atomic{"max_s32", "atom.global.max.s32 %r0, [%b], -1;", 4, 4, 4},
                    Atomic{"max_u32", "atom.global.max.u32 %r0, [%b], 0xffffffff;", 4, 0xffffffff, 4},
                    Atomic{"and_b32", "atom.global.and.b32 %r0, [%b], 6;", 12, 4, 12},
                    Atomic{"or_b32", "atom.global.or.b32 %r0, [%b], 6;", 12, 14, 12},
                    Atomic{"xor_b32", "atom.global.xor.b32 %r0, [%b], 6;", 12, 10, 12},
                    Atomic{"exch_b32", "atom.global.exch.b32 %r0, [%b], 6;", 12, 6, 12},
                    Atomic{"cas_equal", "atom.global.cas.b32 %r0, [%b], 12, 99;", 12, 99, 12},
                    Atomic{"cas_unequal", "atom.acq_rel.gpu.global.cas.b32 %r0, [%b], 13, 99;", 12, 12, 12},
                    Atomic{"inc_below", "atom.global.inc.u32 %r0, [%b], 7;", 6, 7, 6},
                    Atomic{"inc_wraps", "atom.global.inc.u32 %r0, [%b], 7;", 7, 0, 7},
                    Atomic{"dec_above", "atom.global.dec.u32 %r0, [%b], 7;", 8, 7, 8},
                    Atomic{"dec_zero", "atom.global.dec.u32 %r0, [%b], 7;", 0, 7, 0},
                    Atomic{"dec_steps", "atom.global.dec.u32 %r0, [%b], 7;", 5, 4, 5},
                    Atomic{"add_f32", "atom.global.add.f32 %r0, [%b], 0f3F800000;", 0x3f800000, 0x40000000,
                           0x3f800000}),
    [](const auto& made) { return made.param.name; });
TEST_P(Atomics, change_the_word_and_give_the_old_value) {
    EXPECT_EQ(words_after({GetParam().before, 0}, std::string(GetParam().code) +
                                                      "\ncvt.u64.u32 %l0, %r0;\nst.global.u64 [%b+8], %l0;"),
              (std::vector<U64>{GetParam().after, GetParam().old}));
}

TEST(Memory, atomics_of_64_bits_and_reductions) {
    EXPECT_EQ(words_after({5, 0}, "atom.global.add.u64 %l0, [%b], -6;\nst.global.u64 [%b+8], %l0;"),
              (std::vector<U64>{~0ull, 5}));
    EXPECT_EQ(words_after({5, 0}, "atom.global.cas.b64 %l0, [%b], 5, 1;\nst.global.u64 [%b+8], %l0;"),
              (std::vector<U64>{1, 5}));
    EXPECT_EQ(words_after({0}, "red.global.add.u64 [%b], 3;", 32), (std::vector<U64>{96}));
    EXPECT_EQ(words_after({0x3ff0000000000000ull}, "red.global.add.f64 [%b], 0d3FF8000000000000;", 2),
              (std::vector<U64>{0x4010000000000000ull}));
}

TEST(Memory, float_atomics_flush_in_global_memory_only) {
    // 1e-40 + 0 is 0 in global memory; shared memory keeps the subnormal number.
    EXPECT_EQ(words_after({71362, 0}, "atom.global.add.f32 %f0, [%b], 0f00000000;"),
              (std::vector<U64>{0, 0}));
    EXPECT_EQ(
        words_after(
            {71362, 0},
            ".shared .b32 box;\nld.global.u32 %r0, [%b];\nst.shared.u32 [box], %r0;\natom.shared.add.f32 "
            "%f0, [box], 0f00000000;\nld.shared.u32 %r1, [box];\nst.global.u32 [%b+8], %r1;"),
        (std::vector<U64>{71362, 71362}));
}

TEST(Memory, lanes_take_effect_in_lane_order) {
    std::vector<U64> words(33, 0);
    const std::vector<U64> found = words_after(
        words, "atom.global.add.u32 %r0, [%b+256], 1;\ncvt.u64.u32 %l0, %r0;\nst.global.u64 [%o], %l0;", 32);
    for (U64 lane = 0; lane < 32; ++lane)
        EXPECT_EQ(found[lane], lane);
    EXPECT_EQ(words_after({0}, "cvt.u64.u32 %l0, %i;\nst.global.u64 [%b], %l0;", 32), (std::vector<U64>{31}));
}

TEST(Memory, kernel_parameters_of_all_kinds) {
    Device device(
        with_header(".visible .entry k(.param .u64 out, .param .u8 a, .param .align 8 .b8 s[24], .param .f64 "
                    "d) {\n.reg .b32 %r<4>;\n.reg .b64 %o, %l<4>;\n"
                    "ld.param.u64 %o, [out];\nld.param.u8 %r0, [a];\nld.param.v2.u32 {%r1, %r2}, "
                    "[s+8];\nld.param.u64 %l0, [d];\nmov.b64 %l1, s;\nld.param.u32 %r3, [%l1+20];\n"
                    "st.global.v2.u32 [%o], {%r0, %r1};\nst.global.v2.u32 [%o+8], {%r2, %r3};\nst.global.u64 "
                    "[%o+16], %l0;\nret;\n}\n"));
    struct Six {
        U32 word[6];
    };
    const DeviceAddress out = device.uninit<U32>(6);
    EXPECT_EQ(
        device.run("k", {1, 1, 1}, {1, 1, 1}, out, std::uint8_t{200}, Six{{1, 2, 3, 4, 5, 6}}, 2.0).ending,
        Ending::finished);
    EXPECT_EQ(device.read<U32>(out, 6), (std::vector<U32>{200, 3, 4, 6, 0, 0x40000000}));
}

TEST(Memory, module_variables_start_with_their_initialisers) {
    Device device(with_header(
        ".global .u32 zero[2];\n.global .u32 list[3] = {1, 2};\n.global .f64 real = "
        "0d4000000000000000;\n.const .u16 small[2] = {7, 9};\n.global .u64 pointer = generic(list);\n"
        ".visible .global .u64 entry = f;\n.func f() { ret; }\n.visible .entry k() { ret; }\n"));
    auto bytes = [&](const char* name) {
        const auto symbol = device.machine().symbol(name);
        EXPECT_TRUE(symbol.ok()) << name;
        return device.read<std::uint8_t>(symbol->address, symbol->size_bytes);
    };
    EXPECT_EQ(bytes("zero"), std::vector<std::uint8_t>(8, 0));
    EXPECT_EQ(bytes("list"), (std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(bytes("real"), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0x40}));
    EXPECT_EQ(bytes("small"), (std::vector<std::uint8_t>{7, 0, 9, 0}));
    EXPECT_EQ(device.read<U64>(device.machine().symbol("pointer")->address, 1)[0],
              device.machine().symbol("list")->address);
    EXPECT_EQ(device.read<U64>(device.machine().symbol("entry")->address, 1)[0] & 15, 0u);
    EXPECT_FALSE(device.machine().symbol("missing").ok());
}

TEST(Memory, module_variables_by_source_name_and_host_writes) {
    Device device(corpus("simt_kernels.ptx"));
    const auto weights = device.machine().symbol("weights");
    ASSERT_TRUE(weights.ok());
    EXPECT_EQ(weights->size_bytes, 16u);
    const std::vector<int> values{1, 10, 100, 1000};
    ASSERT_TRUE(device.machine().write(weights->address, std::as_bytes(std::span(values))).ok());
    const DeviceAddress in = device.buffer(std::vector<int>(100, 1), "in");
    device.run("add_up", {4, 1, 1}, {32, 1, 1}, in, 100);
    EXPECT_EQ(device.read<int>(device.machine().symbol("total")->address, 1)[0], 25 * 1111);
}

TEST(Memory, host_access_checks_bounds_and_tells_what_is_set) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress buffer = device.uninit<int>(4);
    const int one = 1;
    EXPECT_TRUE(device.machine().write(buffer + 4, std::as_bytes(std::span(&one, 1))).ok());
    EXPECT_FALSE(device.machine().write(buffer + 13, std::as_bytes(std::span(&one, 1))).ok());
    EXPECT_FALSE(device.machine().write(~0ull - 1, std::as_bytes(std::span(&one, 1))).ok());
    std::byte bytes[16];
    bool set[16];
    EXPECT_TRUE(device.machine().read(buffer, bytes, set).ok());
    for (int i = 0; i < 16; ++i)
        EXPECT_EQ(set[i], i >= 4 && i < 8) << i;
    EXPECT_FALSE(device.machine().read(buffer + 1, bytes).ok());
}

TEST(Memory, set_bits_cross_words) {
    std::vector<U64> bits(4, 0);
    mark_range(bits.data(), 60, 10);
    EXPECT_EQ(bits[0], 0xf000000000000000ull);
    EXPECT_EQ(bits[1], 0x3full);
    EXPECT_EQ(count_uninit(bits.data(), 58, 14), 4u);
    clear_range(bits.data(), 62, 4);
    EXPECT_EQ(bits[0], 0x3000000000000000ull);
    EXPECT_EQ(bits[1], 0x3cull);
}

TEST(Memory, memory_of_a_program_of_the_host_is_known) {
    const auto here = reinterpret_cast<std::uint64_t>(this);
    EXPECT_FALSE(Arena(window::global, trace::Space::global).host_has(here))
        << "this test runs no CUDA program";
    const Arena arena(window::global, trace::Space::global, Backing::memory_file);
    EXPECT_TRUE(arena.host_has(here));
    EXPECT_FALSE(arena.host_has(64));
}

TEST(Memory, guard_space_catches_what_runs_over) {
    Arena arena(window::global, trace::Space::global);
    Budget budget(1 << 20);
    const Allocation* a = arena.allocate(100, 256, {}, budget);
    const Allocation* b = arena.allocate(100, 256, {}, budget);
    EXPECT_EQ(arena.region(a->region.base, a->region.base + 100), &a->region);
    EXPECT_EQ(arena.region(a->region.base, a->region.base + 101), nullptr);
    EXPECT_GE(b->region.base, a->region.base + 100 + 256);
    EXPECT_EQ(arena.region(b->region.base - 1, b->region.base), nullptr);
    EXPECT_EQ(arena.find(window::global + (1 << 20)), nullptr);
    EXPECT_EQ(arena.find(0), nullptr);
    EXPECT_EQ(arena.nearest(b->region.base - 1), b);
    EXPECT_EQ(arena.allocate(1 << 20, 0, {}, budget), nullptr);
}

}  // namespace memory_test
}  // namespace lanescope::simt
