#include "gpu/driver/child_run.h"

#include <algorithm>

#include "base/folders.h"
#include "base/number_text.h"
#include "base/process.h"

namespace lanescope::gpu {

namespace {

constexpr double max_s = 24 * 3600;

std::string last_line(std::string text) {
    while (text.ends_with('\n'))
        text.pop_back();
    return text.substr(text.rfind('\n') + 1).substr(0, 300);
}

}  // namespace

Result<ChildRun> run_in_child(const std::vector<std::string>& arguments, double limit_s,
                              std::string_view input, const std::atomic<bool>* cancel) {
    std::vector<std::string> argv{executable_path().string()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    const int limit_ms = static_cast<int>(std::clamp(limit_s, 0.001, max_s) * 1000);
    Result<ProcessOutcome> outcome = run_process(argv, input, limit_ms, 1ull << 30, cancel);
    if (!outcome) return outcome.diagnostics();
    if (outcome->cancelled) return error("the run on the GPU was cancelled");
    if (outcome->timed_out)
        return error(
            "the run on the GPU did not end within " + seconds_text(limit_s) + "; its process was ended",
            "a kernel may wait for ever, or the time limit is too short");
    if (outcome->too_much_output)
        return error("the run on the GPU printed more than 1 GiB; its process was ended");
    if (outcome->signal != 0)
        return error("the run on the GPU was ended by signal " + std::to_string(outcome->signal),
                     last_line(outcome->err));
    return ChildRun{outcome->exit_code, std::move(outcome->out), std::move(outcome->err)};
}

}  // namespace lanescope::gpu
