// A page starts no processes. Only the program itself can be called, in the place of a child:
// browser/inner_program.h.
#include "../browser/inner_program.h"

#include <iostream>
#include <sstream>

#include "base/child_process.h"
#include "base/process.h"
#include "base/standard_streams.h"

namespace lanescope {

namespace {

Diagnostic refused() {
    return error("a browser starts no other programs", "use Lanescope's desktop program for this");
}

InnerProgram& inner() {
    static InnerProgram program = nullptr;
    return program;
}

}  // namespace

void set_inner_program(InnerProgram program) {
    inner() = program;
}

Result<ProcessOutcome> run_process(const std::vector<std::string>& argv, std::string_view, int, std::uint64_t,
                                   const std::atomic<bool>* cancel, const Environment&, bool,
                                   const std::function<void(std::string_view)>&) {
    if (inner() == nullptr || argv.size() < 2 || argv[1] != "export") return refused();
    std::ostringstream out, err;
    std::streambuf* const before[] = {std::cout.rdbuf(out.rdbuf()), std::cerr.rdbuf(err.rdbuf())};
    ProcessOutcome outcome;
    outcome.exit_code = inner()({argv.begin() + 1, argv.end()});
    std::cout.rdbuf(before[0]);
    std::cerr.rdbuf(before[1]);
    outcome.cancelled = cancel != nullptr && *cancel;
    outcome.out = out.str();
    outcome.err = err.str();
    return outcome;
}

Result<ProcessOutcome> run_attached(const std::vector<std::string>&, const Environment&) {
    return refused();
}

bool is_program(const std::filesystem::path&) {
    return false;
}

std::filesystem::path find_program(const std::string&) {
    return {};
}

}  // namespace lanescope
