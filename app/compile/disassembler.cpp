#include "compile/disassembler.h"

#include <cstdlib>

#include "base/files.h"
#include "base/process.h"
#include "base/temporary_folder.h"
#include "compile/toolkit.h"

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

constexpr int timeout_ms = 30'000;

Result<fs::path> find_disassembler() {
    if (const char* chosen = std::getenv("LANESCOPE_NVDISASM"); chosen && *chosen) {
        if (is_program(chosen)) return fs::path(chosen);
        return error("nvdisasm is not at the path in $LANESCOPE_NVDISASM: " + std::string(chosen),
                     "unset LANESCOPE_NVDISASM to search the usual places");
    }
    if (fs::path found = toolkit_program("nvdisasm"); !found.empty()) return found;
    return error("nvdisasm, NVIDIA's disassembler, is not installed",
                 "install the CUDA Toolkit, or the wheel nvidia-cuda-nvdisasm; $LANESCOPE_NVDISASM can name "
                 "the program");
}

Result<std::string> printed(const std::vector<std::string>& command) {
    const Result<ProcessOutcome> outcome = run_process(command, {}, timeout_ms);
    if (!outcome) return outcome.diagnostics();
    if (outcome->succeeded()) return outcome->out;
    return error("nvdisasm failed: " + outcome->err.substr(0, outcome->err.find('\n')));
}

}  // namespace

Result<Disassembly> disassemble(const std::string& cubin) {
    const Result<fs::path> program = find_disassembler();
    if (!program) return program.diagnostics();
    const Result<TemporaryFolder> folder = TemporaryFolder::create();
    if (!folder) return folder.diagnostics();
    const fs::path file = folder->path() / "kernel.cubin";
    if (const Result<void> written = write_file(file, cubin); !written) return written.diagnostics();
    Result<std::string> lines = printed({program->string(), "-c", "-g", file.string()});
    if (!lines) return lines.diagnostics();
    Result<std::string> live = printed({program->string(), "-c", "-lrm", "count", file.string()});
    if (!live) return live.diagnostics();
    return Disassembly{std::move(*lines), std::move(*live)};
}

}  // namespace lanescope::compile
