// Whole runs of kernels: results, counts, messages about wrong input.
#include "execution/run/run.h"
#include "execution/run/opened_trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "session/report/report.h"
#include "trace/io.h"
#include "trace/replay.h"

namespace lanescope::session {
namespace run_test {

execution::RunRequest request_for(const std::string& name, lesson::ParameterValues parameters = {}) {
    execution::RunRequest request;
    request.file = std::string(LANESCOPE_SOURCE_DIR) + "/kernels/" + name;
    if (const Result<std::string> source = read_text_file(request.file); source) request.source = *source;
    request.parameters = std::move(parameters);
    return request;
}

execution::RunRequest request_of_source(const std::string& source, lesson::ParameterValues parameters = {}) {
    execution::RunRequest request;
    request.file = "x.cu";
    request.source = source;
    request.parameters = std::move(parameters);
    return request;
}

execution::RunResult run_of(const execution::RunRequest& request) {
    Result<execution::RunResult> result = execution::execute(request);
    EXPECT_TRUE(result) << to_text(result.diagnostics());
    return result ? std::move(*result) : execution::RunResult{};
}

std::string message_of(const std::string& source, lesson::ParameterValues parameters = {}) {
    const Result<execution::RunResult> result =
        execution::execute(request_of_source(source, std::move(parameters)));
    return result ? "" : to_text(result.diagnostics());
}

const char* const add_one = R"(/*--- lanescope
[params]
n = { default = 4 }
[buffers]
a = { type = "int", count = "n", init = "iota" }
[[launch]]
kernel = "add_one"
grid = ["1"]
block = ["n"]
args = ["a"]
---*/
__global__ void add_one(int* a) {
    a[threadIdx.x] += 1;
}
)";

std::string replaced(std::string text, const std::string& old, const std::string& with) {
    EXPECT_NE(text.find(old), std::string::npos) << old;
    return text.replace(text.find(old), old.size(), with);
}

TEST(Run, modulo_diverges_and_sequential_hardly) {
    const execution::RunResult modulo = run_of(request_for("reduction/modulo.cu"));
    const execution::RunResult sequential = run_of(request_for("reduction/sequential.cu"));
    EXPECT_TRUE(modulo.fine());
    EXPECT_TRUE(sequential.fine());
    EXPECT_GT(modulo.report.total.divergent_branches, sequential.report.total.divergent_branches);
    EXPECT_GT(sequential.report.total.simt_efficiency(), modulo.report.total.simt_efficiency());
}

TEST(Run, strided_index_trades_divergence_for_bank_conflicts) {
    const lesson::ParameterValues sizes{{"block", 256}, {"n", 512}};
    const analysis::Metrics modulo = run_of(request_for("reduction/modulo.cu", sizes)).report.total;
    const analysis::Metrics strided = run_of(request_for("reduction/strided_index.cu", sizes)).report.total;
    EXPECT_LT(strided.divergent_branches, modulo.divergent_branches);
    const auto conflicts = [](const analysis::Metrics& m) {
        return static_cast<double>(m.shared_load_wavefronts) / static_cast<double>(m.shared_load_requests);
    };
    EXPECT_GT(conflicts(strided), 2 * conflicts(modulo));
}

TEST(Run, stepping_over_a_whole_trace_and_back_ends_in_the_same_state) {
    for (const char* name :
         {"reduction/modulo.cu", "reduction/warp_shuffle.cu", "reduction/grid_two_launches.cu"}) {
        const execution::RunResult result = run_of(request_for(name, {{"n", 200}}));
        ASSERT_TRUE(result.trace) << name;
        const std::uint64_t turns = result.trace->turns.size();
        trace::Replay replay(result.trace);
        std::vector<std::uint64_t> hashes;
        for (std::uint64_t turn = 0; turn <= turns; ++turn) {
            replay.seek(turn);
            hashes.push_back(replay.state_hash());
        }
        for (std::uint64_t turn = turns + 1; turn-- > 0;) {
            replay.seek(turn);
            ASSERT_EQ(replay.state_hash(), hashes[turn]) << name << " at turn " << turn;
        }
    }
}

TEST(Run, replay_ends_with_what_the_run_computed) {
    const execution::RunResult result = run_of(request_for("reduction/grid_two_launches.cu", {{"n", 200}}));
    trace::Replay replay(result.trace);
    replay.seek(result.trace->turns.size());
    int compared = 0;
    for (const execution::BufferView& buffer : result.buffers)
        for (const trace::Symbol& symbol : result.trace->symbols) {
            if (symbol.name != buffer.name) continue;
            std::vector<std::byte> bytes(buffer.contents.size());
            replay.read(symbol.space, 0, 0, symbol.offset, bytes);
            EXPECT_EQ(bytes, buffer.contents) << buffer.name;
            ++compared;
        }
    EXPECT_EQ(compared, static_cast<int>(result.buffers.size()));
}

TEST(Run, results_of_race_free_kernels_do_not_depend_on_the_schedule) {
    for (const char* text : {"rr", "warp", "seed:1", "seed:99"}) {
        execution::RunRequest request = request_for("reduction/modulo.cu", {{"n", 1000}});
        request.schedule = *simt::parse_schedule(text);
        EXPECT_TRUE(run_of(request).fine()) << text;
    }
}

TEST(Run, optimized_code_gives_the_same_results) {
    execution::RunRequest request = request_for("reduction/sequential.cu", {{"n", 1000}});
    request.code = compile::Code::optimized;
    const execution::RunResult result = run_of(request);
    EXPECT_TRUE(result.fine());
    EXPECT_EQ(result.trace->program.code, "optimized");
}

TEST(Run, saved_trace_measures_the_same) {
    const execution::RunResult result = run_of(request_for("reduction/modulo.cu"));
    const std::string path = testing::TempDir() + "/modulo.trace";
    ASSERT_TRUE(trace::save(*result.trace, path));
    const Result<execution::RunResult> opened = execution::open_trace(path);
    ASSERT_TRUE(opened) << to_text(opened.diagnostics());
    const auto original = nlohmann::json::parse(report_json(result)),
               again = nlohmann::json::parse(report_json(*opened));
    EXPECT_EQ(original["metrics"], again["metrics"]);
    EXPECT_EQ(original["lines"], again["lines"]);
}

TEST(Run, memory_limit_narrows_the_recording_and_says_so) {
    execution::RunRequest request = request_for("reduction/modulo.cu", {{"n", 65536}});
    request.trace_bytes = 4 << 20;
    const execution::RunResult result = run_of(request);
    EXPECT_TRUE(result.fine());
    ASSERT_FALSE(result.trace->launches.empty());
    EXPECT_FALSE(result.trace->launches[0].recorded_blocks.empty());
    EXPECT_FALSE(result.trace->truncated);
    EXPECT_NE(report_text(result).find("blocks recorded"), std::string::npos) << report_text(result);
}

TEST(Run, file_without_front_matter_runs_with_a_proposed_launch) {
    const execution::RunResult result = run_of(request_of_source(
        "__global__ void twice(const int* in, int* out, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = 2 * in[i];\n}\n"));
    EXPECT_TRUE(result.proposed);
    EXPECT_TRUE(result.problems.empty());
    EXPECT_GT(result.report.total.global_store_requests, 0u);
}

TEST(Run, proposed_launch_that_changes_nothing_is_not_fine) {
    const std::string source =
        "__global__ void f(int* a, int n, int mode) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n && mode == 7) a[i] = 1;\n}\n";
    const execution::RunResult nothing = run_of(request_of_source(source));
    EXPECT_EQ(nothing.hollow,
              "the proposed launch shows nothing of its kernel: no buffer changes and nothing is printed");
    EXPECT_FALSE(nothing.fine());
    EXPECT_NE(report_text(nothing).find("NOTHING SHOWN"), std::string::npos);
    const execution::RunResult something = run_of(request_of_source(source, {{"mode", 7}}));
    EXPECT_EQ(something.hollow, "");
    EXPECT_TRUE(something.fine());
    const execution::RunResult prints =
        run_of(request_of_source("__global__ void f() { printf(\"here\"); }\n"));
    EXPECT_EQ(prints.hollow, "");
}

TEST(Run, files_without_front_matter_are_compiled_for_the_newest_target) {
    const std::string body =
        "__global__ void f(int* a) {\n#if __CUDA_ARCH__ >= 800\n  a[threadIdx.x] = 8;\n#endif\n}\n";
    const execution::RunResult proposed = run_of(request_of_source(body));
    EXPECT_EQ(proposed.compiled.target, "compute_90");
    EXPECT_EQ(proposed.hollow, "");
    execution::RunRequest old = request_of_source(body);
    old.flags.arch = "sm_75";
    const execution::RunResult empty = run_of(old);
    EXPECT_EQ(empty.compiled.target, "compute_75");
    EXPECT_NE(empty.hollow, "");
    EXPECT_EQ(run_of(request_of_source(add_one)).compiled.target, "compute_75");
    const std::string stated = replaced(add_one, "[params]", "arch = \"sm_86\"\n[params]");
    EXPECT_EQ(run_of(request_of_source(stated)).compiled.target, "compute_86");
    const std::string bad = replaced(add_one, "[params]", "arch = \"sm_7\"\n[params]");
    EXPECT_NE(message_of(bad).find("x.cu:1: error: compute_7 is not a target"), std::string::npos)
        << message_of(bad);
}

TEST(Run, template_kernel_is_named_with_its_arguments) {
    std::string source = replaced(add_one, "kernel = \"add_one\"", "kernel = \"add_one<int, 3>\"");
    source = replaced(source, "__global__ void add_one(int* a) {",
                      "template <class T, int K>\n__global__ void add_one(T* a) {");
    const execution::RunResult result = run_of(request_of_source(replaced(source, "+= 1", "+= K")));
    ASSERT_EQ(result.buffers.size(), 1u);
    EXPECT_NE(report_text(result).find("a: int[4] = 3 4 5 6"), std::string::npos) << report_text(result);
}

TEST(Run, bad_syntax_error_has_line_and_column) {
    const std::string message =
        message_of(std::string(add_one) + "__global__ void broken() {\n    int x = ;\n}\n");
    EXPECT_EQ(message.rfind("x.cu:16:13: error: expected an expression", 0), 0u) << message;
}

TEST(Run, bad_kernel_name_that_does_not_exist) {
    const std::string message = message_of(replaced(add_one, "kernel = \"add_one\"", "kernel = \"add_two\""));
    EXPECT_EQ(message.rfind("x.cu:6", 0), 0u) << message;
    EXPECT_NE(message.find("no kernel is named 'add_two' (the file has: add_one)"), std::string::npos)
        << message;
}

TEST(Run, bad_sizes_that_are_negative_or_absurd_and_unknown_parameters) {
    EXPECT_NE(message_of(add_one, {{"n", -1}}), "");
    EXPECT_NE(message_of(add_one, {{"n", 4'000'000'000'000}}), "");
    EXPECT_NE(message_of(add_one, {{"m", 1}}), "");
}

TEST(Run, bad_block_that_is_too_large_is_a_launch_problem) {
    const execution::RunResult result = run_of(request_of_source(add_one, {{"n", 2048}}));
    ASSERT_EQ(result.problems.size(), 1u);
    EXPECT_EQ(result.problems[0].kind, trace::ProblemKind::launch_config);
    EXPECT_FALSE(result.fine());
}

TEST(Run, bad_arguments_that_do_not_fit_the_kernel) {
    const std::string message = message_of(replaced(add_one, "args = [\"a\"]", "args = [\"a\", \"n\"]"));
    EXPECT_NE(message.find("takes 1 argument, but the launch gives 2"), std::string::npos) << message;
    EXPECT_NE(message_of(replaced(add_one, "(int* a) {\n    a[threadIdx.x] += 1;", "(int a) {\n    ++a;")),
              "");
}

TEST(Run, bad_endless_loop_meets_the_step_limit) {
    execution::RunRequest request =
        request_of_source(replaced(add_one, "a[threadIdx.x] += 1;", "while (a[0] < 9) __syncthreads();"));
    request.limits.warp_instructions = 100'000;
    const execution::RunResult result = run_of(request);
    ASSERT_FALSE(result.problems.empty());
    EXPECT_EQ(result.problems.back().kind, trace::ProblemKind::step_limit);
    EXPECT_EQ(result.outcome.ending, simt::Ending::step_limit);
}

TEST(Run, cancel_ends_a_run) {
    const std::atomic<bool> cancel{true};
    EXPECT_FALSE(execution::execute(request_for("reduction/modulo.cu"), &cancel));
}

}  // namespace run_test
}  // namespace lanescope::session
