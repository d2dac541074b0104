// Runs files traced on the GPU of this machine and on the CPU machine, prints whether every thread did the
// same, and keeps the answers of the GPU.  traced_record FOLDER FILE.cu…
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "compare.h"
#include "compile/compiler.h"
#include "execution/run/run.h"
#include "gpu/traced/gpu_trace_device.h"
#include "recorded_device.h"

using namespace lanescope;

namespace {

// "kernels/scan/blelloch.cu" gives "scan.blelloch".
std::string short_name(const std::filesystem::path& file) {
    return file.parent_path().filename().string() + "." + file.stem().string();
}

constexpr std::uint64_t largest_log = 8u << 20;

struct Row {
    std::string name, verdict;
    std::vector<std::string> notes;
    std::uint64_t threads = 0, items = 0, bytes = 0;
};

Row compare_file(gpu::GpuTraceDevice& device, const std::filesystem::path& file,
                 const std::filesystem::path& folder) {
    Row row{short_name(file), {}, {}};
    execution::RunRequest request;
    request.file = file.string();
    request.limits.seconds = 20;
    // The kernels of this folder name their own.
    if (!row.name.starts_with("kernels.")) request.flags.arch = "compute_75";
    Result<std::string> source = read_text_file(request.file);
    if (!source) return row.verdict = to_text(source.diagnostics()), row;
    request.source = *source;
    const Result<execution::RunResult> cpu = execution::execute(request);
    traced::RecordingDevice recording(device);
    request.device = &recording;
    const Result<execution::RunResult> gpu = execution::execute(request);
    if (!cpu || !gpu) return row.verdict = to_text((cpu ? gpu : cpu).diagnostics().front()), row;
    row.notes = gpu->notes;
    for (const trace::Problem& problem : gpu->problems)
        row.notes.push_back(problem.message);
    for (const auto& expected : gpu->expectations)
        if (!expected.ok) row.notes.push_back("wrong result: " + expected.mismatch);
    const traced::Comparison compared = traced::compare_threads(*cpu->trace, *gpu->trace);
    row.threads = compared.threads;
    row.items = compared.items;
    row.verdict = compared.difference.empty() ? "same" : compared.difference;
    for (const auto& read : recording.log().reads)
        row.bytes += read.size();
    if (row.bytes < largest_log)
        if (const Result<void> saved = recording.log().save(folder / (row.name + ".log")); !saved)
            row.verdict = to_text(saved.diagnostics());
    return row;
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::string_view(arguments[1]) == "__compile") return compile::compile_worker_main();
    Result<gpu::Context> context = gpu::Context::create();
    if (!context) return std::cerr << to_text(context.diagnostics()), 3;
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    int same = 0;
    for (int i = 2; i < count; ++i) {
        gpu::GpuTraceDevice device(*context);
        const Row row = compare_file(device, arguments[i], arguments[1]);
        same += row.verdict == "same" ? 1 : 0;
        std::cout << row.name << ": " << row.verdict << "\n";
        for (const std::string& note : row.notes)
            std::cout << "    " << note.substr(0, 160) << "\n";
        rows.push_back({{"name", row.name},
                        {"verdict", row.verdict},
                        {"threads", row.threads},
                        {"items", row.items},
                        {"bytes", row.bytes},
                        {"notes", row.notes}});
    }
    const gpu::DeviceFacts& facts = context->device();
    const nlohmann::ordered_json out{{"device", facts.name}, {"driver", facts.driver}, {"files", rows}};
    if (const Result<void> written =
            write_file(std::filesystem::path(arguments[1]) / "parity.json", out.dump(1));
        !written)
        return std::cerr << to_text(written.diagnostics()), 2;
    std::cout << same << " of " << count - 2 << " are the same on " << facts.name << ", " << facts.driver
              << "\n";
}
