// `lanescope run`: a file runs; what was counted and found is printed.
#pragma once

#include <string>

#include "commands/run_options.h"
#include "session/run/explore.h"

namespace lanescope {

struct RunCommand {
    RunOptions run;
    bool json = false, steps = false;
    std::string save, sarif;  // files to write; empty: none

    void add_to(CLI::App& app);
};

// Every outcome that there can be, or those of a sample.
Result<session::Exploration> exploration_of(RunOptions options);

// The exit code, as of every subcommand.
int run_command(const RunCommand& command);

}  // namespace lanescope
