// Divergence, calls, spinning, barriers, operations of warps.
#include <gtest/gtest.h>

#include <numeric>

#include "device.h"
#include "simt/state/barrier.h"

namespace lanescope::simt {
namespace control_test {

using trace::ProblemKind;

// Runs a kernel of one block whose thread i stores %v at out[i]. %i is the thread; %w and %x are spare.
std::vector<std::uint32_t> per_thread(const std::string& code, std::uint32_t threads = 32,
                                      Kinds expected = {}, const std::string& before = "") {
    Device device(with_header(
        before +
        ".visible .entry k(.param .u64 po) {\n.reg .pred %p<4>;\n.reg .b32 %i, %v, %w, %x;\n.reg .b64 %o, "
        "%l;\n"
        "mov.u32 %i, %tid.x;\nmov.u32 %v, 0;\n" +
        code +
        "\nSTORE: ld.param.u64 %o, [po];\nmad.wide.u32 %o, %i, 4, %o;\nst.global.u32 [%o], %v;\nret;\n}\n"));
    const DeviceAddress out = device.buffer(std::vector<std::uint32_t>(threads, 999), "out");
    device.run("k", {1, 1, 1}, {threads, 1, 1}, out);
    EXPECT_EQ(device.kinds(), expected);
    return device.read<std::uint32_t>(out, threads);
}
std::vector<std::uint32_t> each(std::uint32_t threads, std::uint32_t (*value)(std::uint32_t)) {
    std::vector<std::uint32_t> values(threads);
    for (std::uint32_t i = 0; i < threads; ++i)
        values[i] = value(i);
    return values;
}

TEST(Control, diverged_lanes_meet_again) {
    // All 32 lanes are active after the two paths have met.
    EXPECT_EQ(per_thread("and.b32 %w, %i, 1;\nsetp.eq.u32 %p0, %w, 0;\n@%p0 bra EVEN;\nadd.u32 %v, %v, "
                         "7;\nbra MEET;\nEVEN: add.u32 %v, %v, 9;\n"
                         "MEET: activemask.b32 %w;\npopc.b32 %w, %w;\nadd.u32 %v, %v, %w;"),
              each(32, [](std::uint32_t i) { return (i % 2 == 0 ? 9u : 7u) + 32u; }));
}

TEST(Control, loops_of_different_length_meet_again) {
    EXPECT_EQ(per_thread("mov.u32 %w, 0;\nLOOP: add.u32 %v, %v, 2;\nadd.u32 %w, %w, 1;\nsetp.le.u32 %p0, %w, "
                         "%i;\n@%p0 bra LOOP;\n"
                         "activemask.b32 %x;\npopc.b32 %x, %x;\nmad.lo.u32 %v, %x, 1000, %v;"),
              each(32, [](std::uint32_t i) { return 2 * (i + 1) + 32000; }));
}

TEST(Control, branch_table) {
    EXPECT_EQ(per_thread("and.b32 %w, %i, 3;\nTABLE: .branchtargets A, B, C, A;\nbrx.idx %w, TABLE;\nA: "
                         "mov.u32 %v, 10;\nbra STORE;\nB: mov.u32 %v, 20;\nbra STORE;\nC: mov.u32 %v, 30;"),
              each(32, [](std::uint32_t i) { return i % 4 == 1   ? 20u
                                                    : i % 4 == 2 ? 30u
                                                                 : 10u; }));
}

TEST(Control, bad_branch_table_index) {
    const auto out = per_thread("TABLE: .branchtargets A, A;\nbrx.idx %i, TABLE;\nA: mov.u32 %v, 10;", 32,
                                {ProblemKind::trap});
    EXPECT_EQ(out[0], 10u);
    EXPECT_EQ(out[1], 10u);
    EXPECT_EQ(out[2], 999u);
}

TEST(Control, guarded_return_and_exit) {
    EXPECT_EQ(
        per_thread(
            "setp.gt.u32 %p0, %i, 20;\n@%p0 ret;\nsetp.gt.u32 %p0, %i, 10;\n@%p0 exit;\nmov.u32 %v, 5;"),
        each(32, [](std::uint32_t i) { return i > 10 ? 999u : 5u; }));
}

const std::string functions =
    ".func (.param .b32 r) twice(.param .b32 a) {\n.reg .b32 %a;\nld.param.b32 %a, [a];\nadd.u32 %a, %a, "
    "%a;\nst.param.b32 [r], %a;\nret;\n}\n"
    ".func (.param .b32 r) plus(.param .b32 a) {\n.reg .b32 %a;\n.reg .pred %p;\nld.param.b32 %a, "
    "[a];\nst.param.b32 [r], %a;\nsetp.lt.u32 %p, %a, 16;\n@%p ret;\n"
    "add.u32 %a, %a, 100;\nst.param.b32 [r], %a;\nret;\n}\n"
    ".func (.reg .b32 %r) thrice(.reg .b32 %a) {\nmul.lo.u32 %r, %a, 3;\nret;\n}\n";

TEST(Control, calls_pass_parameters_and_results) {
    EXPECT_EQ(per_thread("{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %i;\ncall (y), twice, "
                         "(x);\nld.param.b32 %v, [y]; }",
                         32, {}, functions),
              each(32, [](std::uint32_t i) { return 2 * i; }));
    EXPECT_EQ(per_thread("call (%v), thrice, (%i);", 32, {}, functions),
              each(32, [](std::uint32_t i) { return 3 * i; }));
}

TEST(Control, lanes_return_from_a_function_one_after_the_other) {
    EXPECT_EQ(per_thread("{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %i;\ncall (y), plus, "
                         "(x);\nld.param.b32 %v, [y]; }\n"
                         "activemask.b32 %w;\npopc.b32 %w, %w;\nmad.lo.u32 %v, %w, 1000, %v;",
                         32, {}, functions),
              each(32, [](std::uint32_t i) { return (i < 16 ? i : i + 100) + 32000; }));
}

TEST(Control, guarded_call) {
    EXPECT_EQ(per_thread("setp.lt.u32 %p0, %i, 5;\n@%p0 call (%v), thrice, (%i);\nadd.u32 %v, %v, 1;", 32, {},
                         functions),
              each(32, [](std::uint32_t i) { return i < 5 ? 3 * i + 1 : 1u; }));
}

const std::string indirect =
    "{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], %i;\nPROTO: .callprototype (.param .b32 _) _ (.param "
    ".b32 _);\ncall (y), %l, (x), PROTO;\nld.param.b32 %v, [y]; }";

TEST(Control, indirect_calls_of_different_functions) {
    EXPECT_EQ(per_thread(".reg .b64 %m;\nmov.u64 %l, twice;\nmov.u64 %m, plus;\nsetp.gt.u32 %p0, %i, "
                         "7;\nselp.b64 %l, %m, %l, %p0;\n" +
                             indirect,
                         32, {}, functions),
              each(32, [](std::uint32_t i) { return i <= 7   ? 2 * i
                                                    : i < 16 ? i
                                                             : i + 100; }));
}

TEST(Control, bad_indirect_call_address) {
    const auto out = per_thread("mov.u64 %l, 4660;\n" + indirect, 32, {ProblemKind::trap}, functions);
    EXPECT_EQ(out, each(32, [](std::uint32_t) { return 999u; }));
}

TEST(Kernels, recursion) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress out = device.uninit<int>(32, "out");
    device.run("recursion", {1, 1, 1}, {32, 1, 1}, out);
    const std::vector<int> factorials{1, 1, 2, 6, 24, 120, 720, 5040}, found = device.read<int>(out, 32);
    for (int i = 0; i < 32; ++i)
        EXPECT_EQ(found[static_cast<std::size_t>(i)], factorials[static_cast<std::size_t>(i % 8)]);
    EXPECT_EQ(device.kinds(), Kinds{});
}

TEST(Kernels, structures_by_value) {
    struct Point {
        int x;
        float y;
    };
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress x = device.uninit<int>(32, "x"), y = device.uninit<float>(32, "y");
    device.run("structures", {1, 1, 1}, {32, 1, 1}, Point{100, 1.5f}, x, y);
    EXPECT_EQ(device.read<int>(x, 32)[31], 131);
    EXPECT_EQ(device.read<float>(y, 32)[31], 3.0f);
}

class EverySchedule : public testing::TestWithParam<const char*> {
  protected:
    Device device(const std::string& text, Limits limits = {}) {
        return Device(text, *parse_schedule(GetParam()), limits);
    }
};
INSTANTIATE_TEST_SUITE_P(Control, EverySchedule, testing::Values("rr", "warp", "seed:1", "seed:99"),
                         [](const auto& made) {
                             std::string name = made.param;
                             std::erase(name, ':');
                             return name;
                         });

TEST_P(EverySchedule, all_lanes_get_through_a_spin_lock) {
    Device machine = device(corpus("simt_kernels.ptx"));
    const DeviceAddress lock = machine.buffer<int>({0}, "lock"), count = machine.buffer<int>({0}, "count");
    const Outcome outcome = machine.run("spin_lock", {2, 1, 1}, {64, 1, 1}, lock, count);
    EXPECT_EQ(outcome.ending, Ending::finished);
    EXPECT_EQ(machine.read<int>(count, 1)[0], 128);
}

TEST_P(EverySchedule, warps_that_wait_for_each_other_finish) {
    Device machine = device(corpus("simt_kernels.ptx"));
    const DeviceAddress flag = machine.buffer<int>({0}, "flag");
    const Outcome outcome = machine.run("ping_pong", {1, 1, 1}, {64, 1, 1}, flag, 20);
    EXPECT_EQ(outcome.ending, Ending::finished);
    EXPECT_EQ(machine.read<int>(flag, 1)[0], 40);
}

TEST_P(EverySchedule, return_before_a_barrier_does_not_block_the_others) {
    Device machine = device(corpus("simt_kernels.ptx"));
    std::vector<int> values(64);
    std::iota(values.begin(), values.end(), 0);
    const DeviceAddress in = machine.buffer(values, "in"),
                        out = machine.buffer(std::vector<int>(64, -1), "out");
    const Outcome outcome = machine.run("early_return", {1, 1, 1}, {64, 1, 1}, in, out, 40);
    EXPECT_EQ(outcome.ending, Ending::finished);
    EXPECT_EQ(machine.only_problem().kind, trace::ProblemKind::barrier_divergence);
    EXPECT_TRUE(machine.only_problem().note) << machine.only_problem().message;
    const std::vector<int> found = machine.read<int>(out, 64);
    for (int i = 0; i < 64; ++i)
        EXPECT_EQ(found[static_cast<std::size_t>(i)], i < 40 ? 39 - i : -1);
}

TEST_P(EverySchedule, race_free_kernels_give_the_same_result) {
    Device machine = device(corpus("simt_reduce_modulo.ptx"));
    std::vector<float> values(1000, 1.0f);
    const DeviceAddress in = machine.buffer(values, "in"), out = machine.uninit<float>(4, "out");
    machine.run("reduceModulo", {4, 1, 1}, {256, 1, 1}, in, out, 1000);
    EXPECT_EQ(machine.read<float>(out, 4), (std::vector<float>{256, 256, 256, 232}));
    EXPECT_EQ(machine.kinds(), Kinds{});
}

// --- barriers ----------------------------------------------------------------------------------------------

TEST(Barrier, reductions_see_all_threads) {
    EXPECT_EQ(per_thread("setp.lt.u32 %p0, %i, 10;\nbar.red.popc.u32 %v, 0, %p0;", 70),
              each(70, [](std::uint32_t) { return 10u; }));
    EXPECT_EQ(
        per_thread("setp.lt.u32 %p0, %i, 10;\nbar.red.or.pred %p1, 0, %p0;\nselp.u32 %v, 1, 0, %p1;", 70),
        each(70, [](std::uint32_t) { return 1u; }));
    EXPECT_EQ(
        per_thread("setp.lt.u32 %p0, %i, 10;\nbar.red.and.pred %p1, 0, !%p0;\nselp.u32 %v, 1, 0, %p1;", 70),
        each(70, [](std::uint32_t) { return 0u; }));
    EXPECT_EQ(
        per_thread("setp.lt.u32 %p0, %i, 70;\nbar.red.and.pred %p1, 0, %p0;\nselp.u32 %v, 1, 0, %p1;", 70),
        each(70, [](std::uint32_t) { return 1u; }));
}

TEST(Barrier, producers_arrive_and_consumers_wait) {
    // Warp 0 writes and continues; warp 1 waits for both warps and reads.
    EXPECT_EQ(per_thread(".shared .b32 box[32];\n.reg .b32 %a;\nand.b32 %w, %i, 31;\nmov.u32 %a, "
                         "box;\nmad.lo.u32 %a, %w, 4, %a;\nsetp.ge.u32 %p0, %i, 32;\n@%p0 bra CONSUME;\n"
                         "add.u32 %x, %i, 500;\nst.shared.u32 [%a], %x;\nbar.arrive 3, 64;\nbra "
                         "STORE;\nCONSUME: bar.sync 3, 64;\nld.shared.u32 %v, [%a];",
                         64),
              each(64, [](std::uint32_t i) { return i < 32 ? 0 : i - 32 + 500; }));
}

TEST(Barrier, lanes_of_one_warp_may_meet_at_an_unaligned_barrier) {
    EXPECT_EQ(per_thread("setp.lt.u32 %p0, %i, 5;\n@%p0 bra FEW;\nbarrier.sync 0;\nmov.u32 %v, 1;\nbra "
                         "STORE;\nFEW: barrier.sync 0;\nmov.u32 %v, 2;"),
              each(32, [](std::uint32_t i) { return i < 5 ? 2u : 1u; }));
}

TEST(Barrier, exited_lanes_do_not_count) {
    const Kinds noted{trace::ProblemKind::barrier_divergence};
    EXPECT_EQ(per_thread("setp.ge.u32 %p0, %i, 40;\n@%p0 exit;\nbar.sync 0;\nmov.u32 %v, 1;", 96, noted),
              each(96, [](std::uint32_t i) { return i < 40 ? 1u : 999u; }));
}

TEST(Barrier, state_counts_whole_warps_and_single_lanes) {
    Barrier barrier;
    WarpMasks live{};
    live[0] = all_lanes;
    live[1] = lanes_below(8);
    EXPECT_TRUE(barrier.idle());
    EXPECT_FALSE(barrier.complete(live));
    barrier.waiting[1] = lanes_below(8);
    EXPECT_EQ(barrier.arrived(live), 32u);  // a partial last warp counts as a whole warp
    barrier.waiting[0] = lanes_below(3);
    EXPECT_EQ(barrier.arrived(live), 35u);
    EXPECT_FALSE(barrier.complete(live));
    live[0] = lanes_below(3);  // the other lanes exited
    EXPECT_TRUE(barrier.complete(live));
}

// --- operations of warps -----------------------------------------------------------------------------------

TEST(Warp, shuffles_votes_and_matches) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress address = device.buffer(std::vector<std::uint32_t>(256, 0), "out");
    device.run("warp_functions", {1, 1, 1}, {32, 1, 1}, address);
    EXPECT_EQ(device.kinds(), Kinds{});
    const std::vector<std::uint32_t> out = device.read<std::uint32_t>(address, 256);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], 10416u);
        EXPECT_EQ(out[32 + lane], 0x49249249u);
        EXPECT_EQ(out[64 + lane], lane % 8 == 0 ? lane : lane - 1);
        EXPECT_EQ(out[96 + lane], lane ^ 5);
        EXPECT_EQ(out[128 + lane], 1u);
        const std::uint32_t decade = lane / 10;
        EXPECT_EQ(out[160 + lane], decade == 3 ? 0xc0000000u : 0x3ffu << (10 * decade));
        EXPECT_EQ(out[192 + lane], lane < 12 ? 0xfffu : 0u);
        EXPECT_EQ(out[224 + lane], lane < 16 ? 10 * (15 - lane) : 0u);
    }
}

TEST(Warp, shuffle_tells_whether_the_source_is_in_range) {
    EXPECT_EQ(per_thread("shfl.sync.up.b32 %w|%p0, %i, 4, 0, -1;\nselp.u32 %v, %w, 77, %p0;"),
              each(32, [](std::uint32_t i) { return i < 4 ? 77 : i - 4; }));
    EXPECT_EQ(per_thread("shfl.sync.down.b32 %w|%p0, %i, 4, 31, -1;\nselp.u32 %v, %w, 77, %p0;"),
              each(32, [](std::uint32_t i) { return i > 27 ? 77 : i + 4; }));
    // The mask 0x18 << 8 makes segments of eight lanes.
    EXPECT_EQ(per_thread("shfl.sync.idx.b32 %w|%p0, %i, 9, 6175, -1;\nselp.u32 %v, %w, 77, %p0;"),
              each(32, [](std::uint32_t i) { return i / 8 * 8 + 1; }));
    EXPECT_EQ(per_thread("shfl.sync.bfly.b32 %w|%p0, %i, 3, 6175, -1;\nselp.u32 %v, %w, 77, %p0;"),
              each(32, [](std::uint32_t i) { return i ^ 3; }));
}

TEST(Warp, shuffle_joins_lanes_that_arrive_at_different_instructions) {
    EXPECT_EQ(per_thread("setp.lt.u32 %p0, %i, 16;\n@%p0 bra LOW;\nshfl.sync.bfly.b32 %v, %i, 16, 31, "
                         "-1;\nbra STORE;\nLOW: shfl.sync.bfly.b32 %v, %i, 16, 31, -1;"),
              each(32, [](std::uint32_t i) { return i ^ 16; }));
}

TEST(Warp, warp_barrier_waits_for_the_members) {
    // Lanes 0-7 read what lanes 8-15 wrote before the barrier.
    EXPECT_EQ(per_thread(
                  ".shared .b32 box[32];\n.reg .b32 %a;\nmov.u32 %a, box;\nmad.lo.u32 %a, %i, 4, "
                  "%a;\nsetp.ge.u32 %p0, %i, 16;\n@%p0 bra STORE;\nsetp.ge.u32 %p0, %i, 8;\n@%p0 bra WRITE;\n"
                  "bar.warp.sync 65535;\nld.shared.u32 %v, [%a+32];\nbra STORE;\nWRITE: add.u32 %x, %i, "
                  "100;\nst.shared.u32 [%a], %x;\nbar.warp.sync 65535;"),
              each(32, [](std::uint32_t i) { return i < 8 ? i + 108 : 0; }));
}

// Lanes that name different members in one instruction are operations of their own, as tiles of a warp are.
TEST(Warp, each_member_mask_is_an_operation_of_its_own) {
    const std::string halves = "setp.lt.u32 %p1, %i, 16;\nselp.b32 %x, 65535, 4294901760, %p1;\n";
    EXPECT_EQ(per_thread(halves + "setp.eq.u32 %p0, %i, 20;\nvote.sync.ballot.b32 %v, %p0, %x;"),
              each(32, [](std::uint32_t i) { return i < 16 ? 0u : 1u << 20; }));
    EXPECT_EQ(per_thread(halves + "vote.sync.all.pred %p0, %p1, %x;\nselp.u32 %v, 1, 0, %p0;"),
              each(32, [](std::uint32_t i) { return i < 16 ? 1u : 0u; }));
    EXPECT_EQ(per_thread(halves + "redux.sync.max.u32 %v, %i, %x;"),
              each(32, [](std::uint32_t i) { return i < 16 ? 15u : 31u; }));
    EXPECT_EQ(per_thread(halves + "match.any.sync.b32 %v, 7, %x;"),
              each(32, [](std::uint32_t i) { return i < 16 ? 0xffffu : 0xffff0000u; }));
    // The upper half comes in two parts, by two instructions; the lower half does not wait for it.
    EXPECT_EQ(per_thread(halves + "setp.lt.u32 %p0, %i, 24;\n@%p0 bra EARLY;\nadd.u32 %w, %i, 100;\n"
                                  "redux.sync.add.u32 %v, %w, %x;\nbra STORE;\n"
                                  "EARLY: redux.sync.add.u32 %v, %i, %x;"),
              each(32, [](std::uint32_t i) { return i < 16 ? 120u : 376u + 800u; }));
}

TEST(Warp, votes_and_reductions) {
    EXPECT_EQ(per_thread("setp.lt.u32 %p0, %i, 3;\nvote.sync.ballot.b32 %v, !%p0, -1;"),
              each(32, [](std::uint32_t) { return ~7u; }));
    EXPECT_EQ(
        per_thread("setp.lt.u32 %p0, %i, 40;\nvote.sync.uni.pred %p1, %p0, -1;\nselp.u32 %v, 1, 0, %p1;"),
        each(32, [](std::uint32_t) { return 1u; }));
    EXPECT_EQ(per_thread("redux.sync.add.u32 %v, %i, -1;"), each(32, [](std::uint32_t) { return 496u; }));
    EXPECT_EQ(per_thread("sub.u32 %w, 5, %i;\nredux.sync.min.s32 %v, %w, -1;"),
              each(32, [](std::uint32_t) { return static_cast<std::uint32_t>(-26); }));
    EXPECT_EQ(per_thread("match.all.sync.b32 %v|%p0, 3, -1;"), each(32, [](std::uint32_t) { return ~0u; }));
    EXPECT_EQ(per_thread("match.all.sync.b32 %v|%p0, %i, -1;\nselp.u32 %v, 8, %v, %p0;"),
              each(32, [](std::uint32_t) { return 0u; }));
}

TEST(Warp, bad_shuffle_from_a_lane_that_is_not_there) {
    const auto out = per_thread("shfl.sync.down.b32 %v, %i, 16, 31, -1;", 24, {ProblemKind::unsynced_lanes});
    EXPECT_EQ(out[7], 23u);
    EXPECT_EQ(out[8], 0u);
}

}  // namespace control_test
}  // namespace lanescope::simt
