// Compiles CUDA C++ to PTX with NVRTC in a child process with a time limit. Results are cached on disk by
// content.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/flags.h"

namespace lanescope::compile {

enum class Code { debug, optimized };  // -G; -lineinfo at the default optimisation

struct Options {
    Code code = Code::debug;
    std::string newest = newest_target;       // for files that test __CUDA_ARCH__
    Flags flags;                              // newer targets than compute_90 write other debug information
    std::vector<std::string> instantiations;  // template kernels to compile: "reduce<int, Plus>"
    bool relocatable = true;                  // -rdc=true, which device-side launches need
    std::string target;  // "sm_90": also make its machine code; replaces the flags' `arch` and `relocatable`
    int timeout_ms = 30'000;
    bool use_cache = true;
};

// A header of the user with code in the PTX.
struct HeaderFile {
    std::string in_ptx;  // its name in the PTX's .file entry
    std::string shown, text;
};

struct Output {
    std::string ptx;
    std::string cubin;        // with a target: its code, linked with the device runtime if necessary
    std::string aliased_ptx;  // debug only: PTX of the text altered by alias.h; empty if not needed
    std::string target;       // what the code was compiled for: "compute_75"
    std::string user_file;    // the source's name in the PTX's .file entry
    std::vector<HeaderFile> headers;
    std::map<std::string, std::string> symbols;  // instantiation → mangled name
    Diagnostics warnings;
    bool from_cache = false;
    double milliseconds = 0;  // wall time of this call
};

// Compiles one source text, which may contain host code. `file` is its name in diagnostics. Errors: compiler
// errors, each with its line and column (bytes) in the given text; NVRTC not found; time limit; the child
// died. Looks up quoted and angled includes in the file's folder first.
// Asks the compiled course (compiled_folder()) first, unless $LANESCOPE_NVRTC names a compiler, then the
// cache.
Result<Output> compile(const std::string& source, const std::string& file, const Options& options);

// Compiles for an installed program and keeps the answer in `folder`, the later compiled_folder(). Does
// nothing if the folder has the answer already. Returns the file's path. Errors: those of compile(); an
// include that is computed; the file cannot be written.
Result<std::filesystem::path> compile_ahead(const std::string& source, const std::string& file,
                                            const Options& options, const std::filesystem::path& folder);

// Assembles PTX of any version to machine code for `target` ("sm_90") in the child, for drivers that are
// older than the PTX. Results are cached like compilations. `device_runtime`: link the library that kernels
// that launch kernels need. Errors: nvJitLink is missing; nvJitLink's messages.
Result<std::string> assemble(const std::string& ptx, const std::string& target, bool device_runtime = false,
                             int timeout_ms = 60'000);

struct MachineCode {
    std::string cubin;
    std::vector<std::string> notes;  // what the assembler says of each kernel, as `ptxas -v` prints it
};
// The same with the assembler's notes.
Result<MachineCode> machine_code(const std::string& ptx, const std::string& target);

// The entry point of the child. Reads the request from standard input and writes the answer to standard
// output. main() calls it first if argv[1] is "__compile".
int compile_worker_main();

// Sets the program that is started with the one argument "__compile"; by default the running executable.
void set_worker(std::filesystem::path program);

// Finds NVRTC and its version; an error says what to install. Starts the child once to ask for the version.
// If $LANESCOPE_NVRTC names the library, uses only that. Otherwise searches, in this order, the wheels beside
// a program that pip installed, the CUDA folder that the build folder names, $CUDA_HOME, $CUDA_PATH,
// /usr/local/cuda*, NVIDIA's Python wheels in the build folder, what `lanescope doctor --get-compiler` got,
// and the loader's own paths. With $LANESCOPE_NO_SYSTEM_CUDA set, searches only for wheels.
struct Toolkit {
    std::filesystem::path nvrtc;
    std::vector<std::filesystem::path> include_folders;
    std::string version;
    std::filesystem::path linker;  // nvJitLink, or its bare name for the loader
};
Result<Toolkit> find_toolkit();

// Whether a file of NVRTC lies in one of these places. Starts nothing and loads nothing.
bool toolkit_is_installed();

// The remedy for a missing NVRTC, as messages name it and the window looks for it in them.
inline constexpr const char* get_compiler_command = "lanescope doctor --get-compiler";

}  // namespace lanescope::compile
