#include <algorithm>

#include "base/files.h"
#include "base/folders.h"
#include "compile/compiler.h"
#include "compile/confine.h"
#include "doctor/checks.h"
#include "execution/run/run.h"
#include "gpu/clean/trial.h"
#include "gpu/sampled/find_cupti.h"

namespace lanescope::doctor {

namespace {

// Uses shared memory and a barrier. The run itself checks the expectation.
constexpr const char* small_lesson = R"(/*--- lanescope
title = "What the doctor runs"
[buffers]
out = { type = "int", count = "4" }
[[launch]]
kernel = "squares"
grid   = ["1"]
block  = ["4"]
args   = ["out"]
[[expect]]
buffer = "out"
values = [9, 4, 1, 0]
---*/
__global__ void squares(int* out) {
    __shared__ int square[4];
    square[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = square[3 - threadIdx.x];
}
)";

const Check* find(const Report& report, const std::string& name) {
    const auto at = std::find_if(report.checks.begin(), report.checks.end(),
                                 [&](const Check& check) { return check.name == name; });
    return at == report.checks.end() ? nullptr : &*at;
}

}  // namespace

Check checked(std::string name, std::string label, const Result<void>& result, std::string message) {
    Check check{std::move(name), std::move(label), Status::works, std::move(message), {}};
    if (result) return check;
    const Diagnostics& diagnostics = result.diagnostics();
    check.status = Status::fails;
    check.message = diagnostics.empty() ? "failed without saying why" : diagnostics.front().message;
    check.mend = diagnostics.empty() ? "" : diagnostics.front().hint;
    return check;
}

std::optional<std::string> check_compiler(Report& report) {
    const Result<compile::Toolkit> toolkit = compile::find_toolkit();
    if (!toolkit) {
        report.checks.push_back(checked("compiler", "Compiler", toolkit.diagnostics(), ""));
        return std::nullopt;
    }
    report.compiler = {toolkit->version, toolkit->nvrtc.string(), compile::confinement_text()};
    compile::Options options;
    options.code = compile::Code::optimized;
    options.flags.arch = "compute_" + std::to_string(gpu::oldest_compute_capability);
    options.use_cache = false;
    const Result<compile::Output> compiled = compile::compile(gpu::Trial::source(), "trial.cu", options);
    const std::string name = "NVRTC " + toolkit->version;
    if (!compiled) {
        report.checks.push_back(checked("compiler", "Compiler", compiled.diagnostics(), ""));
        return std::nullopt;
    }
    report.checks.push_back(checked("compiler", "Compiler", {}, name + " compiled a kernel to PTX"));
    return compiled->ptx;
}

namespace {

// The small lesson needs the compiler; the lessons that ship with the installed program do not.
Result<execution::RunRequest> trial_request(bool compiler_works) {
    execution::RunRequest request;
    request.file = "doctor.cu";
    request.source = small_lesson;
    if (compiler_works) return request;
    request.file = (resource_folder() / "kernels/first_steps/vector_add.cu").string();
    Result<std::string> source = read_text_file(request.file);
    if (!source) return source.diagnostics();
    request.source = std::move(*source);
    return request;
}

}  // namespace

void check_cpu_engine(Report& report) {
    const Check* compiler = find(report, "compiler");
    const bool compiles = compiler && compiler->status == Status::works;
    const Result<execution::RunRequest> request = trial_request(compiles);
    const Result<execution::RunResult> run =
        request ? execution::execute(*request) : Result<execution::RunResult>(request.diagnostics());
    if (!compiles && !run) {
        report.checks.push_back({"cpu_engine", "CPU engine", Status::absent,
                                 "not tried because the compiler does not work; saved traces still open",
                                 ""});
        return;
    }
    Result<void> outcome;
    if (!run)
        outcome = run.diagnostics();
    else if (!run->fine())
        outcome = error("a small kernel gave wrong results on the CPU SIMT machine");
    report.checks.push_back(
        checked("cpu_engine", "CPU engine", outcome,
                compiles ? "a kernel ran on the CPU SIMT machine with correct results"
                         : "a lesson as it ships ran on the CPU SIMT machine with correct results"));
}

Report examine() {
    Report report;
    report.toolkit_version = gpu::toolkit_version;
    const std::optional<std::string> ptx = check_compiler(report);
    check_cpu_engine(report);
    report.runtime = gpu::find_runtime_library(report.compiler.path);
    check_cuda(report, ptx);
    check_gl(report);
    report.cupti = gpu::find_cupti();  // last: opening it may change what CUDA does
    return report;
}

Verdict Report::verdict() const {
    const Check* opened = find(*this, "driver");
    const bool usable = std::any_of(checks.begin(), checks.end(), [](const Check& check) {
        return check.name.starts_with("gpu_") && check.status != Status::fails;
    });
    if (!opened || opened->status != Status::works || !usable) return Verdict::no_gpu;
    const bool failed = std::any_of(checks.begin(), checks.end(),
                                    [](const Check& check) { return check.status == Status::fails; });
    return failed ? Verdict::fail : Verdict::pass;
}

}  // namespace lanescope::doctor
