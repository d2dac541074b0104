// `lanescope run`: runs a file and prints what was counted and found.
#pragma once

#include <string>

#include "commands/options/run_options.h"
#include "commands/program_command.h"
#include "execution/run/explore.h"

namespace lanescope {

struct RunCommand {
    RunOptions run;
    ProgramOptions program;  // if the file is one
    bool json = false, steps = false, gpu_schedule = false, counters = false, clock = false,
         resources = false, layout = false;
    std::vector<std::string> dumps;  // buffers to write: NAME=FILE
    std::string save, sarif;         // files to write; empty: none
    std::string flow;                // the buffer to follow; empty: none

    void add_to(CLI::App& app);
};

// Returns every possible outcome, or the outcomes of a sample of schedules.
Result<execution::Exploration> exploration_of(RunOptions options);

// Returns the exit code.
int run_command(const RunCommand& command);

}  // namespace lanescope
