// Runs a child process with captured streams and a time limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope {

struct ProcessOutcome {
    int exit_code = 0;  // valid if none of the next three is set
    int signal = 0;     // the signal that ended the child; 0 if none did
    bool timed_out = false;
    bool cancelled = false;
    std::string out;
    std::string err;
};

// Runs argv[0] with its arguments, writes `input` to its standard input and waits. Kills the child when it
// runs longer than timeout_ms, when it prints more than max_output_bytes, or soon after `cancel` becomes
// true. Error: the child could not be started.
Result<ProcessOutcome> run_process(const std::vector<std::string>& argv, std::string_view input,
                                   int timeout_ms, std::uint64_t max_output_bytes = 256ull << 20,
                                   const std::atomic<bool>* cancel = nullptr);

}  // namespace lanescope
