// Every kind of problem: its place, its message, and the rest of the run.
#include <gtest/gtest.h>

#include "device.h"
#include "simt/state/faults.h"

namespace lanescope::simt {
namespace problems_test {

using trace::ProblemKind;
using trace::Space;

class Problems : public testing::Test {
  protected:
    template <class... Arguments>
    Outcome run(const std::string& kernel, std::uint32_t threads, Arguments... arguments) {
        return device_.run(kernel, {1, 1, 1}, {threads, 1, 1}, arguments...);
    }
    void expect_only(ProblemKind kind, std::uint32_t line, const std::string& message) {
        const trace::Problem& problem = device_.only_problem();
        EXPECT_EQ(problem.kind, kind);
        EXPECT_EQ(problem.first.line, line);
        EXPECT_EQ(problem.message, message);
    }
    Device device_{corpus("simt_kernels.ptx")};
};

TEST_F(Problems, bad_index_of_shared_and_global_arrays) {
    const DeviceAddress out = device_.buffer(std::vector<int>(64, 1), "out");
    EXPECT_EQ(run("out_of_bounds", 64, out, 4).ending, Ending::faulted);
    ASSERT_EQ(device_.kinds(), (Kinds{ProblemKind::out_of_bounds, ProblemKind::out_of_bounds}));
    const trace::Problem &shared = device_.machine().problems()[0], &global = device_.machine().problems()[1];
    EXPECT_EQ(shared.message,
              "line 64: thread 60 of block 0 writes s[64], just past the end of s (64 elements)");
    EXPECT_EQ(shared.space, Space::shared);
    EXPECT_EQ(shared.variable, "s");
    EXPECT_EQ(shared.index, 64);
    EXPECT_EQ(shared.occurrences, 4u);
    EXPECT_EQ(shared.first.thread, 60u);
    EXPECT_TRUE(shared.first.has_access);
    EXPECT_EQ(shared.first.access, trace::AccessKind::store);
    EXPECT_EQ(global.space, Space::global);
    EXPECT_EQ(global.occurrences, 4u);
    EXPECT_EQ(device_.read<int>(out, 64)[63], 2);  // the other lanes have stored
}

TEST_F(Problems, bad_unsigned_index_below_zero) {
    const DeviceAddress out = device_.buffer(std::vector<int>(64, 1), "out");
    EXPECT_EQ(run("out_of_bounds", 64, out, -2).ending, Ending::faulted);
    ASSERT_FALSE(device_.kinds().empty());
    const trace::Problem& shared = device_.machine().problems().front();
    EXPECT_EQ(shared.message,
              "line 64: thread 0 of block 0 writes s[4294967294]: the index is -2 as an unsigned number");
    EXPECT_EQ(shared.variable, "s");
    EXPECT_EQ(shared.occurrences, 2u);
}

TEST_F(Problems, bad_alignment) {
    const DeviceAddress bytes = device_.buffer(std::vector<char>(64), "bytes"),
                        out = device_.buffer(std::vector<int>(4, 7), "out");
    run("misaligned", 4, bytes, out);
    EXPECT_EQ(device_.only_problem().kind, ProblemKind::misaligned);
    EXPECT_EQ(device_.only_problem().variable, "bytes");
    EXPECT_EQ(device_.only_problem().occurrences, 4u);
    EXPECT_EQ(device_.read<int>(out, 4), std::vector<int>(4, 0));  // a faulting load gives zero
}

TEST_F(Problems, bad_read_of_uninit_shared_and_local_memory) {
    const DeviceAddress out = device_.uninit<int>(32, "out");
    EXPECT_EQ(run("uninitialised", 32, out).ending, Ending::finished);
    ASSERT_EQ(device_.kinds(), (Kinds{ProblemKind::uninitialised, ProblemKind::uninitialised}));
    EXPECT_EQ(device_.machine().problems()[0].message,
              "line 74: thread 8 of block 0 reads s[8], which was never written");
    EXPECT_EQ(device_.machine().problems()[0].occurrences, 24u);
    EXPECT_EQ(device_.machine().problems()[1].message,
              "line 74: thread 0 of block 0 reads local[2], which was never written");
    EXPECT_EQ(device_.machine().problems()[1].space, Space::local);
}

TEST_F(Problems, bad_read_of_an_uninit_buffer) {
    Device device(corpus("simt_reduce_modulo.ptx"));
    const DeviceAddress in = device.uninit<float>(64, "in"), out = device.uninit<float>(1, "out");
    device.run("reduceModulo", {1, 1, 1}, {64, 1, 1}, in, out, 64);
    EXPECT_EQ(device.only_problem().message,
              "line 7: thread 0 of block 0 reads in[0], which was never written");
    EXPECT_EQ(device.only_problem().occurrences, 64u);
}

TEST_F(Problems, bad_null_pointer) {
    EXPECT_EQ(run("null_pointer", 1, std::uint64_t{0}).ending, Ending::faulted);
    expect_only(ProblemKind::out_of_bounds, 76,
                "line 76: thread 0 of block 0 writes through a null pointer (address 0x0)");
}

TEST_F(Problems, bad_assertion) {
    const DeviceAddress in = device_.buffer<int>({1, 2, -3, 4, -5, 6, 7, 8}, "in");
    EXPECT_EQ(run("check", 8, in).ending, Ending::faulted);
    expect_only(ProblemKind::trap, 77,
                "line 77: threads 2, 4 of block 0 failed the assertion `in[threadIdx.x] >= 0' in line 77 of "
                "void check(const int *)");
}

TEST_F(Problems, bad_recursion_without_end) {
    const DeviceAddress out = device_.uninit<int>(32, "out");
    EXPECT_EQ(run("stack_overflow", 32, out).ending, Ending::faulted);
    expect_only(ProblemKind::out_of_bounds, 48,
                "line 48: threads 0-31 of block 0 overflowed the stack: calls nest 512 deep");
}

TEST_F(Problems, bad_free) {
    const DeviceAddress out = device_.uninit<int>(4, "out");
    run("heap", 4, out);
    expect_only(ProblemKind::out_of_bounds, 87,
                "line 87: thread 0 of block 0 freed memory that was freed before");
    EXPECT_EQ(device_.read<int>(out, 4), (std::vector<int>{0, 3, 6, 9}));
}

TEST_F(Problems, bad_barriers_in_both_branches) {
    const DeviceAddress out = device_.uninit<int>(64, "out");
    EXPECT_EQ(run("conditional_barrier", 64, out).ending, Ending::finished);
    expect_only(
        ProblemKind::barrier_divergence, 32,
        "line 32: threads 0-15 of block 0 waited at a barrier while threads 16-31 of the same warp "
        "waited at another one (line 35); all threads of a block must reach the same __syncthreads()");
    EXPECT_EQ(device_.only_problem().second.line, 35u);
    EXPECT_EQ(device_.only_problem().second.thread, 16u);
    EXPECT_EQ(device_.read<int>(out, 64)[15], 1);
    EXPECT_EQ(device_.read<int>(out, 64)[63], 2);
}

TEST_F(Problems, bad_barrier_that_some_lanes_run_past) {
    const DeviceAddress out = device_.uninit<int>(64, "out");
    EXPECT_EQ(run("skipped_barrier", 64, out).ending, Ending::finished);
    expect_only(ProblemKind::barrier_divergence, 40,
                "line 40: threads 0-15 of block 0 waited at a barrier while threads 16-31 of the same warp "
                "ran past it to the end of the kernel (line 42); all threads of a block must reach the same "
                "__syncthreads()");
}

TEST_F(Problems, bad_barrier_that_nobody_completes) {
    const DeviceAddress out = device_.uninit<int>(64, "out");
    EXPECT_EQ(run("missed_barrier", 64, out).ending, Ending::deadlock);
    expect_only(ProblemKind::deadlock, 44,
                "deadlock: no thread can continue: threads 0-31 of block 0 wait at barrier 1 in line 44 for "
                "64 threads, of "
                "which 32 came");
}

TEST_F(Problems, bad_endless_loop_reaches_the_step_limit) {
    Limits limits;
    limits.warp_instructions = 100'000;
    Device device(corpus("simt_kernels.ptx"), {}, limits);
    const DeviceAddress out = device.buffer(std::vector<int>(2), "out");
    EXPECT_EQ(device.run("forever", {1, 1, 1}, {32, 1, 1}, out).ending, Ending::step_limit);
    EXPECT_EQ(device.only_problem().kind, ProblemKind::step_limit);
    EXPECT_NE(device.only_problem().message.find(
                  "the kernel may never end; threads 0-31 of block 0 are in line 90"),
              std::string::npos)
        << device.only_problem().message;
}

TEST_F(Problems, bad_endless_loop_reaches_the_time_limit) {
    Limits limits;
    limits.seconds = 0.05;
    Device device(corpus("simt_kernels.ptx"), {}, limits);
    const DeviceAddress out = device.buffer(std::vector<int>(2), "out");
    EXPECT_EQ(device.run("forever", {1, 1, 1}, {32, 1, 1}, out).ending, Ending::timeout);
    EXPECT_EQ(device.only_problem().kind, ProblemKind::timeout);
}

TEST_F(Problems, cancelling_ends_a_run) {
    LaunchRequest request;
    request.kernel = "_Z7foreverPi";
    const DeviceAddress out = device_.buffer(std::vector<int>(2), "out");
    const auto bytes = std::as_bytes(std::span(&out, 1));
    request.arguments.push_back({bytes.begin(), bytes.end()});
    const std::atomic<bool> cancel{true};
    EXPECT_EQ(device_.machine().launch(request, &cancel).ending, Ending::cancelled);
}

TEST_F(Problems, problems_are_folded_and_limited) {
    Limits limits;
    limits.problems = 1;
    Device device(corpus("simt_kernels.ptx"), {}, limits);
    const DeviceAddress out = device.buffer(std::vector<int>(64, 1), "out");
    device.run("out_of_bounds", {3, 1, 1}, {64, 1, 1}, out, 4);
    EXPECT_EQ(device.only_problem().occurrences, 12u);
}

TEST(ProblemList, an_error_takes_the_place_of_a_note) {
    simt::Problems problems(4);
    trace::Problem* note = problems.note(ProblemKind::barrier_divergence, 7, true);
    ASSERT_NE(note, nullptr);
    note->note = true;
    EXPECT_EQ(problems.note(ProblemKind::barrier_divergence, 7, true), nullptr);
    EXPECT_EQ(problems.all()[0].occurrences, 2u);
    trace::Problem* error = problems.note(ProblemKind::barrier_divergence, 7);
    ASSERT_NE(error, nullptr);
    EXPECT_FALSE(error->note);
    EXPECT_EQ(problems.note(ProblemKind::barrier_divergence, 7, true), nullptr);
    EXPECT_EQ(problems.all().size(), 1u);
}

// --- launches that hardware refuses ------------------------------------------------------------------------

struct BadLaunch {
    const char* what;
    trace::Dim3 grid, block;
    std::uint64_t shared;
    const char* words;
};
class LaunchConfig : public testing::TestWithParam<BadLaunch> {};
INSTANTIATE_TEST_SUITE_P(
    Problems, LaunchConfig,
    testing::Values(BadLaunch{"bad_zero_grid", {0, 1, 1}, {32, 1, 1}, 0, "the grid is empty"},
                    BadLaunch{"bad_zero_block", {1, 1, 1}, {32, 0, 1}, 0, "the block is empty"},
                    BadLaunch{"bad_block_size", {1, 1, 1}, {1025, 1, 1}, 0, "too large: at most 1024"},
                    BadLaunch{"bad_block_depth", {1, 1, 1}, {1, 1, 65}, 0, "too large: at most 1024"},
                    BadLaunch{"bad_grid_height", {1, 65536, 1}, {1, 1, 1}, 0, "is too large"},
                    BadLaunch{"bad_grid_count", {2147483647, 65535, 65535}, {1, 1, 1}, 0, "is too large"},
                    BadLaunch{"bad_shared_size", {1, 1, 1}, {32, 1, 1}, 233'000, "more than the 232448"}),
    [](const auto& made) { return made.param.what; });
TEST_P(LaunchConfig, is_refused) {
    Device device(corpus("simt_kernels.ptx"));
    const DeviceAddress out = device.uninit<int>(32, "out");
    device.shared(GetParam().shared);
    EXPECT_EQ(device.run("recursion", GetParam().grid, GetParam().block, out).ending, Ending::refused);
    EXPECT_EQ(device.only_problem().kind, ProblemKind::launch_config);
    EXPECT_NE(device.only_problem().message.find(GetParam().words), std::string::npos)
        << device.only_problem().message;
}

TEST_F(Problems, bad_argument_count_and_size) {
    EXPECT_EQ(device_.run("recursion", {1, 1, 1}, {32, 1, 1}).ending, Ending::refused);
    EXPECT_EQ(device_.run("recursion", {1, 1, 1}, {32, 1, 1}, 1).ending, Ending::refused);
    ASSERT_EQ(device_.kinds().size(), 1u);
    EXPECT_EQ(device_.only_problem().message,
              "launch of recursion: the kernel has 1 parameters, but 0 arguments are given");
}

TEST_F(Problems, bad_kernel_name) {
    LaunchRequest request;
    request.kernel = "no_such_kernel";
    EXPECT_EQ(device_.machine().launch(request).ending, Ending::refused);
    EXPECT_EQ(device_.only_problem().message, "launch of no_such_kernel: there is no kernel of this name");
}

TEST_F(Problems, bad_launch_bounds) {
    Device device(with_header(
        ".visible .entry k() .maxntid 64, 1, 1 { ret; }\n.visible .entry r() .reqntid 8, 8, 1 { ret; }\n"));
    EXPECT_EQ(device.run("k", {1, 1, 1}, {65, 1, 1}).ending, Ending::refused);
    EXPECT_EQ(device.run("k", {1, 1, 1}, {64, 1, 1}).ending, Ending::finished);
    EXPECT_EQ(device.run("r", {1, 1, 1}, {64, 1, 1}).ending, Ending::refused);
    EXPECT_EQ(device.run("r", {1, 1, 1}, {8, 8, 1}).ending, Ending::finished);
}

TEST_F(Problems, bad_static_shared_and_local_sizes) {
    Device device(
        with_header(".visible .entry s() { .shared .b8 big[50000]; .reg .b32 %r; mov.u32 %r, big; ret; }\n"
                    ".visible .entry l() { .local .b8 big[1000000]; ret; }\n"
                    ".visible .entry h() { .local .b8 big[4611686018427387904]; ret; }\n"));
    EXPECT_EQ(device.run("s", {1, 1, 1}, {1, 1, 1}).ending, Ending::refused);
    EXPECT_EQ(device.run("l", {1, 1, 1}, {1, 1, 1}).ending, Ending::refused);
    EXPECT_EQ(device.run("h", {1, 1, 1}, {1, 1, 1}).ending, Ending::refused);
}

TEST_F(Problems, bad_memory_limit) {
    Limits limits;
    limits.memory_bytes = 1 << 20;
    Device device(corpus("simt_kernels.ptx"), {}, limits);
    EXPECT_FALSE(device.machine().allocate(2 << 20, {}).ok());
    EXPECT_FALSE(device.machine().allocate(~0ull, {}).ok());
    EXPECT_TRUE(device.machine().allocate(1 << 19, {}).ok());
}

TEST_F(Problems, bad_unsupported_instruction_is_named_with_its_lines) {
    const std::string text = with_header(
        ".visible .entry k() {\n.reg .b64 %d;\n.loc 1 7 5\nmultimem.red.relaxed.sys.global.add.u32 [%d], "
        "1;\nret;\n}\n"
        ".visible .entry other() {\nret;\n}\n"
        ".func never_called() {\n.reg .b64 %d;\nmultimem.red.relaxed.sys.global.add.u32 [%d], 1;\nret;\n}\n");
    auto module = ptx::parse(text, "test.ptx");
    ASSERT_TRUE(module.ok()) << to_text(module.diagnostics());
    const auto program = load(*module, {}, text, "kernel.cu", "");
    ASSERT_TRUE(program.ok());
    const std::vector<KernelInfo> found = kernels(**program);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_TRUE(found[1].unsupported.empty()) << "other kernels can run";
    const Diagnostics& unsupported = found[0].unsupported;
    ASSERT_EQ(unsupported.size(), 1u);  // only code that the kernel can reach
    EXPECT_EQ(unsupported[0].file, "kernel.cu");
    EXPECT_EQ(unsupported[0].line, 7);
    EXPECT_NE(unsupported[0].message.find("multimem.red"), std::string::npos);
    EXPECT_NE(unsupported[0].message.find("PTX line 8"), std::string::npos) << unsupported[0].message;
    Machine machine(*program, {}, {});
    LaunchRequest request;
    request.kernel = "k";
    EXPECT_EQ(machine.launch(request).ending, Ending::refused);
    EXPECT_NE(machine.problems().at(0).message.find("multimem.red"), std::string::npos);
    machine.clear_findings();
    request.kernel = "other";
    EXPECT_EQ(machine.launch(request).ending, Ending::finished);
    EXPECT_TRUE(machine.problems().empty());
}

TEST(FarIndex, the_array_is_that_of_the_pointer) {
    Device device(
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b64 %rd<6>;\n.reg .b32 %r<3>;\n"
        "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmul.wide.s32 %rd2, %r1, 4;\n"
        "add.s64 %rd3, %rd1, %rd2;\nmov.u64 %rd4, %rd3;\nld.u32 %r2, [%rd4];\nret;\n}\n");
    (void)device.buffer(std::vector<int>(4, 1), "other");
    const DeviceAddress out = device.buffer(std::vector<int>(4, 1), "out");
    EXPECT_EQ(device.run("k", {1, 1, 1}, {1, 1, 1}, out, -500'000'000).ending, Ending::faulted);
    EXPECT_EQ(device.only_problem().variable, "out");
    EXPECT_NE(device.only_problem().message.find(
                  "reads out[-2000000000], 2000000000 bytes before the start of out"),
              std::string::npos)
        << device.only_problem().message;
}

TEST(FarIndex, the_offset_may_stand_in_the_instruction) {
    Device device(
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<3>;\n.reg .b32 %r<3>;\n"
        "ld.param.u64 %rd1, [p];\nld.u32 %r1, [%rd1+1073741824];\nret;\n}\n");
    const DeviceAddress out = device.buffer(std::vector<int>(4, 1), "out");
    EXPECT_EQ(device.run("k", {1, 1, 1}, {1, 1, 1}, out).ending, Ending::faulted);
    EXPECT_EQ(device.only_problem().variable, "out");
}

TEST(FarIndex, an_index_that_overflowed_is_named) {
    TypeTable types;
    trace::Symbol table;
    table.name = "table";
    table.element = types.named("uchar");
    table.size_bytes = 2348810240;
    const Neighbour near{&table, window::global};
    BadAccess bad;
    bad.kind = ProblemKind::out_of_bounds;
    bad.object = near.start;
    bad.address = window::global - 2001216256;
    EXPECT_EQ(access_text(types, bad, Window::none, near),
              "reads table[-2001216256]: the index 2293751040 does not fit into an int");
}

}  // namespace problems_test
}  // namespace lanescope::simt
