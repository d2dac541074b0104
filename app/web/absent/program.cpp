// A page runs no host code, so that no journal of a program is ever there.
#include "program/build.h"
#include "program/run.h"

namespace lanescope::program {

namespace {

Diagnostic no_programs() {
    return error("a browser does not run host code", "use the desktop program");
}

}  // namespace

bool is_cuda_program(const std::filesystem::path&, std::string_view) {
    return false;
}

Result<std::filesystem::path> find_nvcc() {
    return no_programs();
}

Result<std::filesystem::path> compile_program(const std::filesystem::path&, const CompileOptions&) {
    return no_programs();
}

Result<ProgramRun> run_program(const std::vector<std::string>&, const RunOptions&) {
    return no_programs();
}

Result<void> save_trace(const ProgramRun&, const ProgramLaunch&, const std::filesystem::path&) {
    return no_programs();
}

bool ProgramLaunch::has_problem() const {
    return false;
}

const ProgramLaunch* ProgramRun::first_choice() const {
    return nullptr;
}

}  // namespace lanescope::program
