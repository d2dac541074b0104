// Builds CUDA programs so that they run on the CPU machine: with PTX, debug information and the shared
// runtime.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/result.h"

namespace lanescope::program {

// Whether the text defines main() and uses CUDA: a kernel, a launch, or a name of its libraries.
bool is_cuda_program(std::string_view source);
// The same for a file with this text, whose main() may stand in a header that it includes.
bool is_cuda_program(const std::filesystem::path& file, std::string_view source);

// The folder with the runtime library (libcudart.so.13) that runs kernels on the CPU machine. Error: it is
// not beside the program.
Result<std::filesystem::path> runtime_folder();

// The library that watches programs on a GPU, for LD_PRELOAD. Error: it is not beside the program.
Result<std::filesystem::path> watch_library();

// Folders in which the shared runtime of CUDA itself may be: $LANESCOPE_GPU_RUNTIME, else those of nvcc's
// toolkit. The loader's own come after them.
std::vector<std::filesystem::path> cuda_library_folders();

// nvcc: of $PATH, else of the toolkit that Lanescope uses. Error: there is none.
Result<std::filesystem::path> find_nvcc();

// The variables that make every call of nvcc build such programs; $NVCC_APPEND_FLAGS is kept.
Environment build_environment();

// The targets of a build (sm_20, compute_35 …) that nvcc does not know: each in the words of the command, or
// at its line in the Makefile, CMakeLists.txt or *.mk of the folder. Empty: there are none, or no nvcc.
Diagnostics unknown_targets(const std::vector<std::string>& command, const std::filesystem::path& folder);

// Where compile_program() keeps SafeNames::own_names() of a program; no file if there are none.
std::filesystem::path own_names_beside(const std::filesystem::path& program);

// Where compile_program() keeps PTX of the same file that tells the types of shared variables, which the
// program's own debug information leaves out (compile/alias.h); no file if there are none.
std::filesystem::path shared_types_beside(const std::filesystem::path& program);

constexpr int machine_capability = 90;  // of the CPU machine's device: 9.0

struct CompileOptions {
    std::vector<std::string> arguments;         // for nvcc: -I…, -D…, -std=…, further files, libraries
    bool debug = true;                          // false: optimised code, for times on a GPU
    int capability = machine_capability;        // of the GPU that runs it
    const std::atomic<bool>* cancel = nullptr;  // ends nvcc soon after it becomes true
};

// The executable of a file with main(), from the cache if nothing has changed that it was made of. Errors:
// nvcc is missing; what nvcc says, located; "cancelled".
Result<std::filesystem::path> compile_program(const std::filesystem::path& file,
                                              const CompileOptions& options);

}  // namespace lanescope::program
