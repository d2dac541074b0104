// Runs a child process with captured streams and a time limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope {

struct ProcessOutcome {
    int exit_code = 0;  // valid if none of the next four is set
    int signal = 0;     // the signal that ended the child; 0 if none did
    bool timed_out = false;
    bool too_much_output = false;
    bool cancelled = false;
    int passed_signal = 0;  // this process was asked to end by it, and passed it on; 0: it was not
    std::string out;
    std::string err;

    bool was_killed() const { return timed_out || too_much_output || cancelled; }
    bool succeeded() const { return exit_code == 0 && signal == 0 && !was_killed(); }
};

// Variables that a child has besides those of this process, or instead of them.
using Environment = std::map<std::string, std::string>;

// Runs argv[0] with its arguments, writes `input` to its standard input and waits. Kills the child when it
// runs longer than timeout_ms, when it prints more than max_output_bytes, or soon after `cancel` becomes
// true. Does not wait until a cancelled child is gone: a driver may need seconds to take a GPU from it.
// With `pass_signals`, SIGTERM, SIGINT and SIGHUP do not end this process but the child, which has five
// seconds for it. `heard` is called with new output of the child, and timeout_ms begins anew then: a child
// that reports each part of its work has the time limit of one part. Error: the child could not be started.
Result<ProcessOutcome> run_process(const std::vector<std::string>& argv, std::string_view input,
                                   int timeout_ms, std::uint64_t max_output_bytes = 256ull << 20,
                                   const std::atomic<bool>* cancel = nullptr,
                                   const Environment& environment = {}, bool pass_signals = false,
                                   const std::function<void(std::string_view)>& heard = {});

// Runs a program at this process's terminal: with its streams and its working folder. Signals of the terminal
// end the program, not this process; SIGTERM, SIGINT and SIGHUP from elsewhere are passed on as above. Error:
// the child could not be started.
Result<ProcessOutcome> run_attached(const std::vector<std::string>& argv,
                                    const Environment& environment = {});

bool is_program(const std::filesystem::path& file);
// Returns the program of this name in a folder of $PATH, or an empty path.
std::filesystem::path find_program(const std::string& name);

}  // namespace lanescope
