// Blocks on several host threads give the same results as on one thread. Kernels whose blocks can see each
// other stay on one thread.
#include <gtest/gtest.h>

#include "device.h"
#include "simt/program/program.h"

namespace lanescope::simt {
namespace parallel_test {

using U32 = std::uint32_t;

constexpr U32 blocks = 50, block = 96, threads = blocks * block;

// Returns a kernel with a thread per word. %a and %o are the addresses of its words of `in`
// and `out`, %i its number.
std::string kernel(const std::string& code) {
    return with_header(
        ".visible .entry k(.param .u64 pi, .param .u64 po) {\n.reg .pred %p<4>;\n.reg .b32 %i, %n, %t, "
        "%r<8>;\n"
        ".reg .f32 %f<4>;\n.reg .b64 %in, %out, %a, %o, %l<4>;\n.shared .align 4 .b32 s[96];\n"
        "ld.param.u64 %in, [pi];\nld.param.u64 %out, [po];\nmov.u32 %n, %ctaid.x;\nmov.u32 %t, %tid.x;\n"
        "mad.lo.u32 %i, %n, 96, %t;\nmad.wide.u32 %a, %i, 4, %in;\nmad.wide.u32 %o, %i, 4, %out;\n" +
        code + "\nret;\n}\n");
}

struct Outcomes {
    Outcome outcome;
    std::vector<U32> in, out;
    std::vector<bool> set;  // which bytes of `out` are set
    std::vector<std::string> problems;
};

std::string text_of(const trace::Problem& problem) {
    return std::string(trace::to_text(problem.kind)) + "|" + problem.message + "|" +
           std::to_string(problem.occurrences) + "|" + std::to_string(problem.first.block) + "|" +
           std::to_string(problem.first.thread) + "|" + std::to_string(problem.first.pc);
}

Outcomes run(const std::string& text, U32 workers, Limits limits = {}, bool uninit_input = false) {
    limits.workers = workers;
    Device device(text, {}, limits);
    std::vector<U32> values(threads);
    for (U32 i = 0; i < threads; ++i)
        values[i] = i * 7 + 3;
    const DeviceAddress in = uninit_input ? device.uninit<U32>(threads, "in") : device.buffer(values, "in");
    const DeviceAddress out = device.uninit<U32>(threads, "out");
    Outcomes made;
    made.outcome = device.run("k", {blocks, 1, 1}, {block, 1, 1}, in, out);
    made.in = device.read<U32>(in, threads);
    made.out.resize(threads);
    const std::unique_ptr<bool[]> set(new bool[threads * 4]);
    EXPECT_TRUE(device.machine()
                    .read(out, std::as_writable_bytes(std::span(made.out)), std::span(set.get(), threads * 4))
                    .ok());
    made.set.assign(set.get(), set.get() + threads * 4);
    for (const trace::Problem& problem : device.machine().problems())
        made.problems.push_back(text_of(problem));
    return made;
}

Outcomes expect_equal(const std::string& text, Limits limits = {}, bool uninit_input = false) {
    Outcomes one = run(text, 1, limits, uninit_input);
    const Outcomes several = run(text, 4, limits, uninit_input);
    EXPECT_EQ(one.outcome.ending, several.outcome.ending);
    EXPECT_EQ(one.outcome.warp_instructions, several.outcome.warp_instructions);
    EXPECT_EQ(one.outcome.thread_instructions, several.outcome.thread_instructions);
    EXPECT_EQ(one.in, several.in);
    EXPECT_EQ(one.out, several.out);
    EXPECT_EQ(one.set, several.set);
    EXPECT_EQ(one.problems, several.problems);
    return one;
}

bool apart(const std::string& code) {
    Device device(kernel(code));
    return device.program().kernels[0].blocks_apart;
}

const char* const store_odd = "and.b32 %r1, %i, 1;\nsetp.eq.u32 %p0, %r1, 1;\n@%p0 st.global.u16 [%o], %r0;";

TEST(Parallel, blocks_apart_give_what_one_thread_gives) {
    const std::string text = kernel(
        "mov.u32 %r2, s;\nshl.b32 %r3, %t, 2;\nadd.u32 %r2, %r2, %r3;\nld.global.u32 %r0, [%a];\n"
        "st.shared.u32 [%r2], %r0;\nbar.sync 0;\nld.shared.u32 %r4, [s+4];\nadd.u32 %r0, %r0, %r4;\n" +
        std::string(store_odd));
    ASSERT_TRUE(Device(text).program().kernels[0].blocks_apart);
    const Outcomes made = expect_equal(text);
    EXPECT_EQ(made.outcome.ending, Ending::finished);
    EXPECT_EQ(made.out[97], static_cast<std::uint16_t>((97 * 7 + 3) + (97 * 7 + 3)));
    EXPECT_TRUE(made.set[97 * 4 + 1]);
    EXPECT_FALSE(made.set[97 * 4 + 2]);
    EXPECT_FALSE(made.set[96 * 4]);
    EXPECT_TRUE(made.problems.empty());
}

TEST(Parallel, sums_of_all_blocks_lose_nothing) {
    const std::string text =
        kernel("and.b32 %r1, %i, 3;\nmad.wide.u32 %l0, %r1, 4, %in;\nred.global.add.u32 [%l0], %i;");
    ASSERT_TRUE(Device(text).program().kernels[0].blocks_apart);
    const Outcomes made = expect_equal(text);
    U32 sum = 3;
    for (U32 i = 0; i < threads; i += 4)
        sum += i;
    EXPECT_EQ(made.in[0], sum);
}

TEST(Parallel, bad_accesses_are_told_as_on_one_thread) {
    const Outcomes made = expect_equal(
        kernel("st.global.u32 [%a], 1;\nsetp.gt.u32 %p1, %i, 2000;\n@%p1 st.global.u32 [%o+12000], %i;\n"
               "@!%p1 st.global.u32 [%o], %i;"));
    EXPECT_EQ(made.outcome.ending, Ending::faulted);
    ASSERT_EQ(made.problems.size(), 1u);
}

TEST(Parallel, bad_reads_of_uninit_memory_are_told_as_on_one_thread) {
    const Outcomes made =
        expect_equal(kernel("ld.global.u32 %r0, [%a];\nst.global.u32 [%o], %r0;"), {}, true);
    ASSERT_EQ(made.problems.size(), 1u);
}

TEST(Parallel, bad_loop_without_end_stops_at_the_step_limit) {
    Limits limits;
    limits.warp_instructions = 100'000;
    const Outcomes made = expect_equal(kernel("again:\nadd.u32 %r0, %r0, 1;\nbra again;"), limits);
    EXPECT_EQ(made.outcome.ending, Ending::step_limit);
    ASSERT_EQ(made.problems.size(), 1u);
}

TEST(Parallel, the_step_limit_is_exact) {
    const std::string text = kernel("ld.global.u32 %r0, [%a];\nst.global.u32 [%o], %r0;");
    Limits limits;
    limits.warp_instructions = run(text, 1).outcome.warp_instructions;
    EXPECT_EQ(expect_equal(text, limits).outcome.ending, Ending::step_limit);
    ++limits.warp_instructions;
    EXPECT_EQ(expect_equal(text, limits).outcome.ending, Ending::finished);
}

TEST(Parallel, bad_loop_without_end_stops_at_the_time_limit) {
    Limits limits;
    limits.seconds = 0.05;
    limits.warp_instructions = ~0ull;
    const Outcomes made = run(kernel("again:\nadd.u32 %r0, %r0, 1;\nbra again;"), 4, limits);
    EXPECT_EQ(made.outcome.ending, Ending::timeout);
    ASSERT_EQ(made.problems.size(), 1u);
    EXPECT_NE(made.problems[0].find("; threads"), std::string::npos) << made.problems[0];
}

TEST(Parallel, bad_barriers_are_told_as_on_one_thread) {
    const Outcomes made = expect_equal(kernel("setp.lt.u32 %p1, %t, 32;\n@%p1 bar.sync 1, 96;"));
    EXPECT_EQ(made.outcome.ending, Ending::deadlock);
}

TEST(Parallel, little_memory_is_no_error) {
    Limits limits;  // the buffers fit, but not a copy of them
    limits.memory_bytes = 2 * (threads * 4 + 8192) + 60'000;
    const Outcomes made = expect_equal(kernel("ld.global.u32 %r0, [%a];\nst.global.u32 [%o], %r0;"), limits);
    EXPECT_EQ(made.outcome.ending, Ending::finished);
    EXPECT_TRUE(made.problems.empty()) << made.problems[0];
}

TEST(Parallel, launches_follow_one_another) {
    Limits limits;
    limits.workers = 4;
    Device device(kernel("ld.global.u32 %r0, [%a];\nadd.u32 %r0, %r0, %n;\nst.global.u32 [%o], %r0;"), {},
                  limits);
    const DeviceAddress first = device.buffer(std::vector<U32>(threads, 5)),
                        second = device.uninit<U32>(threads);
    for (int i = 0; i < 10; ++i) {
        device.run("k", {blocks, 1, 1}, {block, 1, 1}, first, second);
        device.run("k", {blocks, 1, 1}, {block, 1, 1}, second, first);
    }
    EXPECT_EQ(device.kinds(), Kinds{});
    EXPECT_EQ(device.read<U32>(first, threads)[threads - 1], 5 + 20 * (blocks - 1));
}

TEST(Parallel, cancelled) {
    Limits limits;
    limits.workers = 4;
    Device device(kernel("again:\nbra again;"), {}, limits);
    const DeviceAddress in = device.uninit<U32>(threads);
    LaunchRequest request;
    request.kernel = "k";
    request.grid = {blocks, 1, 1};
    request.block = {block, 1, 1};
    const auto bytes = std::as_bytes(std::span(&in, 1));
    request.arguments.assign(2, {bytes.begin(), bytes.end()});
    std::atomic<bool> cancel{false};
    const Outcome outcome = device.machine().launch(
        request, &cancel, [&](std::uint64_t executed) { cancel = executed > 10'000; });
    EXPECT_EQ(outcome.ending, Ending::cancelled);
    EXPECT_TRUE(device.machine().problems().empty());
}

TEST(Apart, blocks_that_cannot_see_each_other) {
    EXPECT_TRUE(apart("ld.global.u32 %r0, [%a];\nst.u32 [%o], %r0;"));
    EXPECT_TRUE(apart("red.global.max.s32 [%in], %i;"));
    EXPECT_TRUE(apart("atom.global.add.u32 _, [%in], %i;"));
    EXPECT_TRUE(apart("atom.global.add.u32 %r7, [%in], %i;"));  // no instruction reads %r7
    EXPECT_TRUE(apart("atom.shared.exch.b32 %r0, [s], %i;\nst.global.u32 [%o], %r0;"));
    EXPECT_TRUE(apart("red.shared.add.f32 [s], %f0;"));
    EXPECT_TRUE(apart("ld.volatile.shared.u32 %r0, [s];"));
    EXPECT_TRUE(apart("membar.cta;\nbar.sync 0;"));
}

TEST(Apart, blocks_that_may_see_each_other) {
    EXPECT_FALSE(apart("atom.global.add.u32 %r0, [%in], %i;\nst.global.u32 [%o], %r0;"));
    EXPECT_FALSE(apart("red.global.add.f32 [%in], %f0;"));
    EXPECT_FALSE(apart("red.global.inc.u32 [%in], %i;"));
    EXPECT_FALSE(apart("atom.global.exch.b32 _, [%in], %i;"));
    EXPECT_FALSE(apart("atom.global.cas.b32 _, [%in], %i, %n;"));
    EXPECT_FALSE(apart("ld.volatile.global.u32 %r0, [%a];"));
    EXPECT_FALSE(apart("ld.volatile.u32 %r0, [%a];"));
    EXPECT_FALSE(apart("ld.acquire.gpu.global.u32 %r0, [%a];"));
    EXPECT_FALSE(apart("st.release.gpu.global.u32 [%a], %r0;"));
    EXPECT_FALSE(apart("membar.gl;"));
    EXPECT_FALSE(apart("fence.acq_rel.gpu;"));
    EXPECT_FALSE(apart("fence.mbarrier_init.release.cluster;"));
    EXPECT_FALSE(apart("fence.proxy.tensormap::generic.release.gpu;"));
    EXPECT_FALSE(apart("mov.u32 %r0, %clock;"));
    EXPECT_FALSE(apart("nanosleep.u32 %r0;"));
}

TEST(Apart, called_functions_count) {
    Device device(corpus("simt_kernels.ptx"));
    for (const Kernel& kernel : device.program().kernels) {
        bool expected = true;
        for (const char* const talks : {"speak", "heap", "spin_lock", "ping_pong", "add_up"})
            expected = expected && kernel.info.symbol.find(talks) == std::string::npos;
        EXPECT_EQ(kernel.blocks_apart, expected) << kernel.info.symbol;
    }
}

}  // namespace parallel_test
}  // namespace lanescope::simt
