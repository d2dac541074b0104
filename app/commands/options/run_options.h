// The options that `run`, `render` and `export` share: which file runs, and how.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "commands/options/compile_options.h"
#include "execution/run/run.h"
#include "gpu/served/served_device.h"

namespace CLI {
class App;
}

namespace lanescope {

// The window opens the last file when no file is given; the subcommands need a file.
enum class NeedsFile : bool { no, yes };

struct RunOptions {
    std::string file;
    std::vector<std::string> settings;
    std::string engine = "cpu";
    std::string gpu;  // where the GPU is; empty: in this machine
    std::string code = "debug";
    std::string schedule;  // empty: the lesson's, else rr
    CompileOptions compiling;
    std::uint64_t max_steps = 0;
    double timeout_s = 0;
    bool no_trace = false;  // only `run` sets this and the next
    bool per_instruction = false;
    std::uint32_t resident = 0;
    std::string recorded;

    void add_to(CLI::App& app, NeedsFile needs_file = NeedsFile::yes);
    bool on_gpu() const;  // false for a saved trace, which does not run
};

// Whether an option says how the file runs; then it does not run as it did the last time.
bool says_how_to_run(const RunOptions& run);
// The absolute path of a file that the command line names.
std::filesystem::path whole_path(const std::string& file);

// The files that the run reads.
std::vector<std::filesystem::path> inputs_of(const RunOptions& options);
// Errors: a file or an option that cannot be read.
Result<execution::RunRequest> request_of(const RunOptions& options);

// The GPU, in a process of its own, which a fault ends; null: the CPU machine runs the kernel. Errors: no
// GPU, in the words of the engine that is not available; --gpu does not lead to one.
Result<std::unique_ptr<gpu::ServedDevice>> open_device(const RunOptions& options);
// Refuses --gpu where no GPU of another process runs the kernel.
Result<void> check_gpu_option(const std::string& engine, const std::string& place);
Result<void> check_gpu_option(const RunOptions& options);

// Runs the file, or opens it if it is a saved trace. Without a device the CPU machine runs it.
Result<execution::RunResult> result_of(const RunOptions& options, gpu::TraceDevice* device = nullptr,
                                       const execution::RunProgress& progress = {});
// The same on the GPU, if there is one. Meanwhile the terminal says what is done.
Result<execution::RunResult> run_on(const RunOptions& options, gpu::ServedDevice* served);

}  // namespace lanescope
