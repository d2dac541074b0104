// Runs the launches of kernel files on a GPU under the profiler, with debug code and the files' own buffers.
//   hardware_launches compile FOLDER FILE.cu…    writes each file's PTX into the folder
// hardware_launches launch FOLDER FILE.cu…     runs that PTX without NVRTC and prints a line for each launch:
// file, tab, hash of the work, tab, kernel
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/files.h"
#include "gpu_file.h"
#include "tool.h"
#include "work.h"

namespace {

using namespace lanescope;
using namespace lanescope::parity;
namespace fs = std::filesystem;

// Returns "k01.cu", or "reduction/modulo.cu" for a file of the course, because topics share file names.
std::string record_name(const fs::path& file) {
    const fs::path topic = file.parent_path();
    const bool course = topic.parent_path().filename() == "kernels";
    return (course ? topic.filename() / file.filename() : file.filename()).string();
}

std::string in(const fs::path& folder, const fs::path& file, const char* ending) {
    std::string name = record_name(file);
    std::replace(name.begin(), name.end(), '/', '_');
    return (folder / (name + ending)).string();
}

// Writes the PTX and the mangled names of templates, one line "name<tab>symbol" for each.
Result<void> write_code(const fs::path& path, const fs::path& folder) {
    auto file = open_file(path.string(), compile::Code::debug);
    if (!file.ok()) return file.diagnostics();
    std::ofstream(in(folder, path, ".ptx")) << file->compiled.ptx;
    std::ofstream symbols(in(folder, path, ".symbols"));
    for (const auto& [name, symbol] : file->compiled.symbols)
        symbols << name << '\t' << symbol << '\n';
    if (!symbols.flush()) return error("cannot write to " + folder.string());
    return {};
}

Result<void> launch(Gpu& gpu, const fs::path& path, const fs::path& folder) {
    auto file = open_file(path.string(), compile::Code::debug, in(folder, path, ".ptx"));
    if (!file.ok()) return file.diagnostics();
    auto symbols = read_file(in(folder, path, ".symbols"));
    if (!symbols.ok()) return symbols.diagnostics();
    std::istringstream lines(*symbols);
    for (std::string name, symbol; std::getline(lines, name, '\t') && std::getline(lines, symbol);)
        file->compiled.symbols[name] = symbol;
    for (const lesson::LaunchInstance& each : file->instance.launches)
        std::printf("%s\t%016llx\t%s\n", record_name(path).c_str(),
                    static_cast<unsigned long long>(work_hash(file->source, file->instance)),
                    each.kernel.c_str());
    auto ran = run_file(gpu, *file, Unset::pattern);
    if (!ran.ok()) return ran.diagnostics();
    return {};
}

Result<void> work(const std::string& mode, const fs::path& folder, const std::vector<std::string>& files) {
    std::unique_ptr<Gpu> gpu;
    if (mode == "launch") {
        auto opened = Gpu::open();
        if (!opened.ok()) return opened.diagnostics();
        gpu = std::move(*opened);
        std::printf("%s\t%s\t%s\n", gpu->device().c_str(), gpu->driver().c_str(), today().c_str());
    }
    Diagnostics failed;
    for (const std::string& path : files) {
        auto done = gpu ? launch(*gpu, path, folder) : write_code(path, folder);
        if (!done.ok()) failed.insert(failed.end(), done.diagnostics().begin(), done.diagnostics().end());
    }
    if (!failed.empty()) return failed;
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "__compile") return compile::compile_worker_main();
    if (argc < 4 || (mode != "compile" && mode != "launch")) {
        std::fprintf(stderr, "usage: hardware_launches compile|launch FOLDER FILE.cu…\n");
        return 2;
    }
    auto done = work(mode, argv[2], {argv + 3, argv + argc});
    return done.ok() ? 0 : fail(done.diagnostics());
}
