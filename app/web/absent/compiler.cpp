// NVIDIA's compiler and its tools are programs of a desktop.
#include "compile/compiler.h"
#include "compile/disassembler.h"
#include "compile/toolkit.h"
#include "wheels/get_compiler.h"
#include "wheels/pip_settings.h"

namespace lanescope {

namespace {

Diagnostic no_compiler() {
    return error("a browser has no CUDA compiler: unchanged lessons run, changed ones do not",
                 "use the desktop program, or a page with a compiler: lanescope serve");
}

}  // namespace

namespace compile {

Result<ToolkitFiles> locate_toolkit() {
    return no_compiler();
}

std::filesystem::path toolkit_program(const std::string&) {
    return {};
}

Result<Disassembly> disassemble(const std::string&) {
    return no_compiler();
}

}  // namespace compile

namespace wheels {

PipSettings pip_settings() {
    return {};
}

Result<Http> Http::open(PipSettings) {
    return no_compiler();
}

std::vector<Requirement> compiler_wheels() {
    return {};
}

Result<CompilerPlan> plan_compiler(const Http&, const std::vector<Requirement>&, const std::filesystem::path&,
                                   const std::atomic<bool>&) {
    return no_compiler();
}

Result<void> install_compiler(const Http&, const CompilerPlan&, const OnCompilerProgress&,
                              const std::atomic<bool>&) {
    return no_compiler();
}

std::string megabytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20);
}

}  // namespace wheels
}  // namespace lanescope
