// CUDA C++ to PTX through NVRTC, in a child process with a time limit, cached on disk by content.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::compile {

enum class Code { debug, optimized };  // -G, or -lineinfo at the default optimisation

struct Options {
    Code code = Code::debug;
    int arch = 75;  // compute_75 … compute_90: newer targets write other debug information
    std::vector<std::string> instantiations;  // template kernels to compile: "reduce<int, Plus>"
    bool relocatable = true;                  // -rdc=true, what device-side launches need
    std::string target;  // "sm_90": also machine code for it, instead of `arch` and `relocatable`
    int timeout_ms = 30'000;
    bool use_cache = true;
};

struct Output {
    std::string ptx;
    std::string cubin;        // with a target: its code, linked with the device runtime where that is needed
    std::string aliased_ptx;  // debug only: of the text altered by alias.h, for types; empty when not needed
    std::string user_file;    // the name under which the PTX's .file entry knows the source
    std::map<std::string, std::string> symbols;  // of the instantiations: name as given → mangled name
    Diagnostics warnings;
    bool from_cache = false;
    double milliseconds = 0;  // wall time of this call
};

// Compiles one source text. `file` is its name in diagnostics. Host code in it is tolerated. Errors: compiler
// errors, each at its line and column (bytes) of the given text; no NVRTC found; time limit; the child died.
// Quoted and angled includes are looked up in the file's folder first.
Result<Output> compile(const std::string& source, const std::string& file, const Options& options);

// PTX of any version to machine code for `target` ("sm_90"), in the child, cached like a compilation: for
// drivers that are older than the PTX. `device_runtime`: link what kernels that launch kernels need. Errors:
// nvJitLink is not there; what it says.
Result<std::string> assemble(const std::string& ptx, const std::string& target, bool device_runtime = false,
                             int timeout_ms = 60'000);

// Entry point of the child: argv after "__compile". Reads the request from standard input, writes the answer
// to standard output. main() calls it before anything else when argv[1] is "__compile".
int compile_worker_main();

// The program that is started with the one argument "__compile"; the running executable when not set.
void set_worker(std::filesystem::path program);

// Where NVRTC is and its version, or what to install. Starts the child once to ask for the version.
// $LANESCOPE_NVRTC names the library and nothing else is tried; else, in this order: the CUDA folder known at
// build time, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda*, NVIDIA's Python wheels in the build folder, the
// loader's own search.
struct Toolkit {
    std::filesystem::path nvrtc;
    std::vector<std::filesystem::path> include_folders;
    std::string version;
    std::filesystem::path linker;  // nvJitLink, or the name under which the loader is asked for it
};
Result<Toolkit> find_toolkit();

}  // namespace lanescope::compile
