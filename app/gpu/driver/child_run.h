// Runs this program as a child process with a time limit. A faulty kernel ends only the child, and the GPU is
// free again afterwards; context.h gives the reason.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::gpu {

struct ChildRun {
    int exit_code = 0;
    std::string out, err;
};

// Errors: it did not end in time, was cancelled, was ended by a signal, or could not be started.
Result<ChildRun> run_in_child(const std::vector<std::string>& arguments, double limit_s,
                              std::string_view input = {}, const std::atomic<bool>* cancel = nullptr);

}  // namespace lanescope::gpu
