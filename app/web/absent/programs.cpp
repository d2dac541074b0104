// Host code needs a compiler for the host and a process: a page shows the launches that a front matter
// states, and saved traces.
#include "commands/program_command.h"

namespace lanescope {

bool runs_as_program(const std::string&, const ProgramOptions&) {
    return false;
}

void ProgramOptions::add_launches_to(CLI::App&) {}

Result<int> gpu_capability() {
    return error("a browser has no GPU for kernels");
}

std::vector<Output> trace_and_sarif(const std::string& save, const std::string&, const ProgramOptions&) {
    return {{"--save", save, {}}};
}

Result<void> choose_engine(session::ProgramRequest&, const std::string&) {
    return not_a_program({});
}

Diagnostic not_a_program(const std::string& file) {
    return error_at(
        file, 0, 0, "a browser does not run host code",
        "save a launch as a trace with the desktop program: lanescope run FILE --save launch.trace");
}

int run_program_command(const std::string&, const ProgramOptions&) {
    return 2;
}

}  // namespace lanescope
