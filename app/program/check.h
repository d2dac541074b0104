// What a checked run found, one list for text, JSON and SARIF.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "program/run.h"

namespace lanescope::program {

struct Finding {
    // As in trace::ProblemKind; and use_after_free, stream_race, double_free, leak, unchecked_error,
    // failed_call, lost_error, host_access, host_race, unwritten, unsupported.
    std::string kind;
    bool note = false;  // does not make the run fail
    std::string message;
    std::string file;  // of the kernel's line
    std::uint32_t line = 0;
    HostPlace place;  // of the host: the launch, the call
    HostPlace other;  // of a stream_race: the earlier work
    std::int64_t launch = -1;
    std::uint32_t block = trace::none, thread = trace::none;
    std::uint64_t occurrences = 1;  // launches or calls with the same finding
    std::vector<std::size_t> runs;  // that have it: their indices
    std::string why, schedule;      // as in LaunchProblem
};

struct CheckLimits {
    double seconds = 20;  // after which the program is not run again
    double share = 0.5;   // of them; a first run that takes longer stays the only one
};

// Runs a program, or a command that starts programs, with checks: under options.schedule, or under several
// schedules if that is empty and the command is short. The later runs have no input, and what they print is
// dropped; of them only what kernels did wrong is added to the first run. Returns the runs of run_programs().
// Errors: those of run_program().
Result<std::vector<ProgramRun>> check_programs(const std::vector<std::string>& argv,
                                               const RunOptions& options, const CheckLimits& limits = {});

// Problems of kernels first, then those of streams and of the host, each once. `leaks_fail`: what was not
// freed is a problem, too.
std::vector<Finding> findings_of(std::span<const ProgramRun> runs, bool leaks_fail);
inline std::vector<Finding> findings_of(const ProgramRun& run, bool leaks_fail) {
    return findings_of(std::span(&run, 1), leaks_fail);
}

bool any_problem(const std::vector<Finding>& findings);

// `programs`: how many were checked.
std::string text_of(const std::vector<Finding>& findings, std::size_t programs = 1);
// Located where the kernel's line is known, else in the host's code.
Diagnostics diagnostics_of(const std::vector<Finding>& findings);

}  // namespace lanescope::program
