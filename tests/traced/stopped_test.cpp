// Launches that do not end: the trace holds what the threads recorded until then.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "execution/run/run.h"
#include "gpu/served/machine_device.h"
#include "trace/replay.h"

namespace lanescope::traced {
namespace stopped_test {

// Keeps its records after a launch that was stopped, as memory of a GPU does that another process has open.
// The CPU machine goes on after an access through a null pointer; here the thread's records end there, as on
// a GPU.
class KeepingDevice : public gpu::MachineDevice {
  public:
    enum class AtNull : bool { stops, goes_on };
    explicit KeepingDevice(AtNull at_null = AtNull::stops, std::uint64_t room_bytes = 4 << 20)
        : at_null_(at_null), room_bytes_(room_bytes) {
        limit_records(room_bytes);
    }
    bool keeps_records() const override { return true; }
    Result<Address> kept_records() override {
        Result<Address> at = records(sizeof(trace::Record));
        for (std::uint64_t thread = 0; at && at_null_ == AtNull::stops && thread < threads_; ++thread)
            if (Result<void> cut = end_at_null(*at, thread); !cut) return cut.diagnostics();
        return at;
    }
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override {
        threads_ = request.grid.count() * request.block.count();
        return MachineDevice::launch(request, std::min(seconds, 0.5), cancel, console);
    }

  private:
    Result<void> end_at_null(Address records_at, std::uint64_t thread) {
        const std::uint64_t row = threads_ * sizeof(trace::Record);
        const std::uint64_t capacity = (room_bytes_ - threads_ * sizeof(std::uint64_t)) / row;
        for (std::uint64_t k = 0; k < capacity; ++k) {
            const std::uint64_t place = records_at + k * row + thread * sizeof(trace::Record);
            trace::Record record{};
            if (Result<void> got = read(place, std::as_writable_bytes(std::span(&record, 1))); !got)
                return got;
            if (record.head == 0) return {};
            if (kind_of(record) != trace::RecordKind::access || record.value != 0) continue;
            const Address cursor = records_at + capacity * row + thread * sizeof(std::uint64_t);
            return write(cursor, std::as_bytes(std::span(&place, 1)));
        }
        return {};
    }

    AtNull at_null_;
    std::uint64_t room_bytes_;
    std::uint64_t threads_ = 0;
};

Result<execution::RunResult> run_on(gpu::TraceDevice& device, const std::string& source) {
    execution::RunRequest request;
    request.file = "stopped.cu";
    request.source = source;
    request.device = &device;
    request.limits.seconds = 60;  // for the analysis; the launch ends sooner
    return execution::execute(request);
}

constexpr const char* faulty = R"(__global__ void k(int* p) {
    int i = threadIdx.x;
    p[i] = i + 7;
    int twice = 2 * i;
    if (i == 5)
        *(int*)nullptr = twice;
    p[i] += 100;
}
)";

TEST(Stopped, a_fault_shows_the_records_before_it) {
    KeepingDevice device;
    const Result<execution::RunResult> ran = run_on(device, faulty);
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    ASSERT_EQ(ran->problems.size(), 1u);
    const trace::ProblemSite& site = ran->problems.front().first;
    EXPECT_EQ(site.line, 6u) << ran->problems.front().message;
    EXPECT_EQ(site.block, 0u);
    EXPECT_EQ(site.thread, 5u);
    ASSERT_TRUE(ran->trace);
    ASSERT_EQ(ran->trace->launches.size(), 1u);
    ASSERT_LT(site.turn, ran->trace->turns.size());
    EXPECT_EQ(ran->trace->turns[site.turn].line, 6u);
    EXPECT_EQ(ran->launch_lines.size(), 1u);
    EXPECT_NE(ran->problems.front().message.find("thread 5 of block 0"), std::string::npos)
        << ran->problems.front().message;
    trace::Replay replay(ran->trace);
    replay.seek(site.turn);
    bool stored = false;
    for (const trace::Turn& turn : ran->trace->turns)
        stored = stored || turn.line == 3;
    EXPECT_TRUE(stored) << "what came before is there";
}

// A GPU's store may be recorded, and fault later, when the thread is elsewhere.
TEST(Stopped, an_access_outside_of_every_buffer_is_the_reason) {
    KeepingDevice device(KeepingDevice::AtNull::goes_on);
    const Result<execution::RunResult> ran = run_on(device, faulty);
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    ASSERT_FALSE(ran->problems.empty());
    const trace::Problem& problem = ran->problems.front();
    EXPECT_EQ(problem.first.line, 6u) << problem.message;
    EXPECT_EQ(problem.first.thread, 5u);
    ASSERT_LT(problem.first.turn, ran->trace->turns.size());
    EXPECT_EQ(ran->trace->turns[problem.first.turn].line, 6u);
    EXPECT_NE(problem.message.find("accesses address 0x0"), std::string::npos) << problem.message;
}

// What the GPU would stop is found before it is done.
struct Stopping {
    const char* name;
    trace::ProblemKind kind;
    const char* body;
    const char* says;
};

class StoppedBefore : public testing::TestWithParam<Stopping> {};

TEST_P(StoppedBefore, the_access) {
    KeepingDevice device(KeepingDevice::AtNull::goes_on);
    const Result<execution::RunResult> ran =
        run_on(device, std::string("__device__ __noinline__ int twice(int i) { return 2 * i; } "
                                   "__device__ __noinline__ int thrice(int i) { return 3 * i; } "
                                   "__global__ void k(int* p) {\n    __shared__ __align__(16) int s[64];\n"
                                   "    int i = threadIdx.x;\n    s[i] = p[i] = i;\n    ") +
                           GetParam().body + "\n    p[i] += s[i];\n}\n");
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    ASSERT_FALSE(ran->problems.empty());
    const trace::Problem& problem = ran->problems.front();
    EXPECT_EQ(problem.kind, GetParam().kind) << problem.message;
    const std::uint32_t line = problem.first.line;
    EXPECT_TRUE(line == 5 || (line == 0 && GetParam().name == std::string("atomic"))) << problem.message;
    EXPECT_EQ(problem.first.thread, 5u) << problem.message;
    EXPECT_NE(problem.message.find("stopped before a fault: thread 5 of block 0 "), std::string::npos)
        << problem.message;
    EXPECT_NE(problem.message.find(GetParam().says), std::string::npos) << problem.message;
    ASSERT_TRUE(ran->trace);
    EXPECT_LT(problem.first.turn, ran->trace->turns.size());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, StoppedBefore,
    testing::Values(
        Stopping{"null", trace::ProblemKind::out_of_bounds, "if (i == 5) *(int*)nullptr = 1;",
                 "0x0, where there is no buffer"},
        Stopping{"far", trace::ProblemKind::out_of_bounds, "if (i == 5) *(volatile int*)0x123456789000 = 1;",
                 "0x123456789000, where there is no buffer"},
        Stopping{"atomic", trace::ProblemKind::out_of_bounds,
                 "if (i == 5) atomicAdd((int*)0x123456789000, 1);", "where there is no buffer"},
        Stopping{"shared", trace::ProblemKind::out_of_bounds, "if (i == 5) s[i * 3000] = 1;",
                 "beyond a block's shared memory"},
        Stopping{"misaligned", trace::ProblemKind::misaligned, "if (i == 5) *(int*)((char*)p + 2) = 1;",
                 "not a multiple of the access's size"},
        Stopping{"copy", trace::ProblemKind::out_of_bounds,
                 "int* from = i == 5 ? (int*)0x123456789000 : p;"
                 "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: "
                 "\"r\"((unsigned)__cvta_generic_to_shared(&s[i])), \"l\"(from));",
                 "0x123456789000, where there is no buffer"},
        Stopping{"copy_of_some_bytes", trace::ProblemKind::out_of_bounds,
                 "int* from = i == 5 ? (int*)0x123456789000 : p; int size = i == 4 ? 0 : 4;"
                 "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4, %2;\" :: "
                 "\"r\"((unsigned)__cvta_generic_to_shared(&s[i])), \"l\"(from), \"r\"(size));",
                 "0x123456789000, where there is no buffer"},
        Stopping{"matrix", trace::ProblemKind::out_of_bounds,
                 "int r = 0; unsigned at = i == 5 ? 60000 : i % 32 < 8 ? "
                 "(unsigned)__cvta_generic_to_shared(s) : 0xfffff0;"
                 "asm volatile(\"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\" : \"=r\"(r) "
                 ": \"r\"(at)); p[i] = r;",
                 "beyond a block's shared memory"},
        Stopping{"call", trace::ProblemKind::trap,
                 "int (*f)(int) = i == 5 ? (int (*)(int))0x123450 : i ? twice : thrice;"
                 "p[i] = f(i);",
                 "calls address 0x123450, which is not a function"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Stopped, accesses_inside_of_everything_go_on) {
    KeepingDevice device;
    const Result<execution::RunResult> ran = run_on(device, R"(__device__ int total;
__constant__ int factor[2] = {3, 4};
__global__ void k(int* p) {
    extern __shared__ int dynamic[];
    __shared__ double2 pair;
    int mine[4] = {1, 2, 3, 4};
    const int* any = threadIdx.x % 2 ? factor : mine;
    if (threadIdx.x == 0) pair = {1, 2};
    __syncthreads();
    atomicAdd(&total, any[threadIdx.x % 2] + mine[p[0] & 3] + int(pair.y));
    *reinterpret_cast<int4*>(p) = {1, 2, 3, 4};
    p[threadIdx.x] = total;
    (void)dynamic;
}
)");
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    for (const trace::Problem& each : ran->problems)
        EXPECT_EQ(each.message.find("stopped before"), std::string::npos) << each.message;
}

TEST(Stopped, copies_of_no_bytes_and_lanes_without_a_row_go_on) {
    KeepingDevice device;
    const Result<execution::RunResult> ran = run_on(device, R"(__device__ int twice(int i) { return 2 * i; }
__device__ int thrice(int i) { return 3 * i; }
__device__ int (*const table[2])(int) = {twice, thrice};
__global__ void k(int* p) {
    __shared__ __align__(16) int s[128];
    const int i = threadIdx.x;
    s[i] = i, s[i + 64] = 0;
    __syncthreads();
    const unsigned at = (unsigned)__cvta_generic_to_shared(&s[i]);
    const int size = i == 5 ? 0 : 4, *from = i == 5 ? (int*)0x123456789000 : p + i;
    p[i] = table[i % 2](i);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(at), "l"(from), "r"(size));
    asm volatile("cp.async.wait_all;");
    unsigned r;
    const unsigned row = i % 32 < 8 ? (unsigned)__cvta_generic_to_shared(&s[4 * i]) : 0xfffff1;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(row));
    p[i] += r;
}
)");
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    for (const trace::Problem& each : ran->problems)
        EXPECT_EQ(each.message.find("stopped before"), std::string::npos) << each.message;
}

// A GPU does not stop at an access to memory that lies in the page of a buffer.
class ForgivingDevice : public gpu::MachineDevice {
  public:
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override {
        Result<Ran> ran = MachineDevice::launch(request, seconds, cancel, console);
        if (ran && ran->ending == simt::Ending::faulted) ran = Ran{};
        return ran;
    }
};

TEST(Stopped, an_access_beside_a_buffer_that_the_gpu_lets_pass_is_a_problem) {
    ForgivingDevice device;
    const Result<execution::RunResult> ran = run_on(device, R"(/*--- lanescope
[buffers]
in  = { type = "int", count = "64", init = "iota" }
out = { type = "int", count = "64", init = "zero" }
[[launch]]
kernel = "k"
grid   = ["1"]
block  = ["32"]
args   = ["in", "out"]
---*/
__global__ void k(const int* in, int* out) {
    const int t = threadIdx.x;
    out[t + 40] = in[t];
}
)");
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    ASSERT_FALSE(ran->problems.empty());
    const trace::Problem& problem = ran->problems.front();
    EXPECT_EQ(ran->problems.size(), 1u) << ran->problems.back().message;
    EXPECT_EQ(problem.kind, trace::ProblemKind::out_of_bounds);
    EXPECT_EQ(problem.message,
              "line 13: t24 of block 0 writes out[64], just past the end of out (64 elements); the GPU does "
              "not stop at it");
    EXPECT_EQ(problem.occurrences, 8u);
    EXPECT_EQ(problem.variable, "out");
    EXPECT_EQ(problem.index, 64);
    EXPECT_EQ(problem.first.line, 13u);
    EXPECT_EQ(problem.first.thread, 24u);
    ASSERT_LT(problem.first.turn, ran->trace->turns.size());
    EXPECT_EQ(ran->trace->turns[problem.first.turn].line, 13u);
}

// Some seconds of an endless loop fill gigabytes on a GPU; the slowest machine fills this room in its half
// second.
TEST(Stopped, of_a_kernel_that_goes_on_the_trace_holds_the_beginning) {
    KeepingDevice device(KeepingDevice::AtNull::stops, 512 << 10);
    const Result<execution::RunResult> ran = run_on(device, R"(__global__ void k(volatile int* p) {
    for (int i = 0; p[0] != 9; ++i)
        p[1] = i;
}
)");
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    ASSERT_FALSE(ran->problems.empty());
    EXPECT_EQ(ran->problems.front().kind, trace::ProblemKind::timeout);
    EXPECT_NE(ran->problems.front().message.find("the last record that fits"), std::string::npos)
        << ran->problems.front().message;
}

TEST(Stopped, a_kernel_that_goes_on_shows_where) {
    KeepingDevice device;
    const Result<execution::RunResult> ran = run_on(device, R"(__global__ void k(volatile int* p) {
    p[threadIdx.x + 1] = 3;
    while (p[0] != 9) {
        p[0] = p[0] & 1;
    }
}
)");
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    ASSERT_FALSE(ran->problems.empty());
    EXPECT_EQ(ran->problems.front().kind, trace::ProblemKind::timeout);
    EXPECT_TRUE(ran->problems.front().first.line == 3 || ran->problems.front().first.line == 4);
    EXPECT_GT(ran->trace->turns.size(), 10u);
}

TEST(Stopped, the_launches_before_stay_in_the_trace) {
    KeepingDevice device;
    const Result<execution::RunResult> ran = run_on(device, R"(/*--- lanescope
[buffers]
p = { type = "int", count = "32" }
[[launch]]
kernel = "fine"
grid   = ["1"]
block  = ["32"]
args   = ["p"]
[[launch]]
kernel = "bad"
grid   = ["1"]
block  = ["32"]
args   = ["p"]
---*/
__global__ void fine(int* p) {
    p[threadIdx.x] = 1;
}
__global__ void bad(int* p) {
    p[threadIdx.x] = 2;
    *(int*)nullptr = 3;
}
)");
    ASSERT_TRUE(ran) << to_text(ran.diagnostics());
    ASSERT_EQ(ran->trace->launches.size(), 2u)
        << (ran->problems.empty() ? "no problem" : ran->problems.front().message);
    ASSERT_FALSE(ran->problems.empty());
    EXPECT_EQ(ran->problems.front().first.launch, 1u);
    EXPECT_EQ(ran->problems.front().first.line, 20u) << ran->problems.front().message;
}

TEST(Stopped, the_same_trace_where_nothing_is_wrong) {
    KeepingDevice keeping;
    gpu::MachineDevice plain;
    const char* source = "__global__ void k(int* p) { p[threadIdx.x] = p[threadIdx.x] + 1; }\n";
    const Result<execution::RunResult> a = run_on(keeping, source), b = run_on(plain, source);
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(a->problems.empty());
    EXPECT_EQ(a->trace->turns.size(), b->trace->turns.size());
    EXPECT_EQ(a->buffers.front().contents, b->buffers.front().contents);
}

}  // namespace stopped_test
}  // namespace lanescope::traced
