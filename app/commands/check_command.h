// `lanescope check`: judges submissions to exercises.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanescope {

struct CheckOptions {
    std::vector<std::string> files, merge;
    std::string exercise, exercises, arch;
    unsigned jobs = 0;
    double timeout_s = 60;
    bool json = false, junit = false, csv = false, list = false;

    void add_to(CLI::App& app);
};

// Returns the exit code.
int check_command(const CheckOptions& options);

}  // namespace lanescope
