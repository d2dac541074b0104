// Which file runs, and how: the options that `run`, `render` and `export` share, and what comes of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/run/run.h"

namespace CLI {
class App;
}

namespace lanescope {

namespace gpu {
class LiveGpu;
class TraceDevice;
}  // namespace gpu

// The window opens the last file when none is given; the subcommands need one.
enum class NeedsFile : bool { no, yes };

struct RunOptions {
    std::string file;
    std::vector<std::string> settings;
    std::string engine = "cpu";
    std::string code = "debug";
    std::string schedule = "rr";
    std::uint64_t max_steps = 0;
    double timeout_s = 0;
    bool no_trace = false;  // `run` alone sets these
    bool per_instruction = false;
    std::uint32_t resident = 0;
    std::string recorded;

    void add_to(CLI::App& app, NeedsFile needs_file = NeedsFile::yes);
    bool on_gpu() const;  // a saved trace runs nowhere
};

// Errors: a file that cannot be read, options that cannot be read.
Result<session::RunRequest> request_of(const RunOptions& options);

Result<std::unique_ptr<gpu::LiveGpu>> open_gpu();

// A run of the file, or what a saved trace holds. Without a device the CPU machine runs it.
Result<session::RunResult> result_of(const RunOptions& options, gpu::TraceDevice* device = nullptr);

}  // namespace lanescope
