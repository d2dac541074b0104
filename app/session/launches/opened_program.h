// A whole program that ran, with a recording of one of its launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program/run.h"

namespace lanescope::session {

// Whether the file is a whole program: it uses CUDA, defines main() and has no front matter.
bool is_program(const std::filesystem::path& file);
// Whether it can run as one when a person asks for it: with front matter, its kernels run alone otherwise.
bool has_program(const std::filesystem::path& file);
bool has_program(const std::filesystem::path& file, std::string_view source);  // with this text

struct ProgramRequest {
    std::filesystem::path file;          // the source
    std::vector<std::string> compiling;  // for nvcc
    std::vector<std::string> arguments;  // of the program
    std::vector<std::string> launches;   // to record, as in program::RunOptions; empty: the first choice
    bool check = false;                  // as in program::RunOptions
    bool on_gpu = false;  // CUDA's own runtime runs it, and is watched; then `check` is not done
    int capability = 90;  // of the GPU
};

struct OpenedProgram {
    std::filesystem::path file;     // the source
    std::vector<std::string> argv;  // runs it
    std::filesystem::path traces;   // the folder for recordings
    program::ProgramRun run;        // what it did
    bool on_gpu = false;            // as in the request
    bool checked = false;           // races were looked for in every launch, and between streams
    std::uint64_t launch = 0;       // the number of the launch that was recorded first
    std::filesystem::path trace;    // its recording; empty: the program launched nothing, or see `problems`
    Diagnostics problems;           // why nothing was recorded
    std::filesystem::path trace_of(std::uint64_t number) const;
};

enum class ProgramPhase : std::uint8_t { compiling, running, recording };

// A program that runs without a terminal: it reads nothing, what it prints is kept, and it is ended after
// unattended_limit_s.
struct Unattended {
    const std::atomic<bool>* cancel = nullptr;
    std::function<void(ProgramPhase)> tell;  // may be empty
};
inline constexpr double unattended_limit_s = 600;

// Compiles and runs the program, and records one launch. Without `unattended` it has the streams of this
// process. Errors: it does not compile or run; it does not call CUDA's runtime; it launches nothing and has a
// terminal; no launch is the one that was asked for; "cancelled".
Result<OpenedProgram> open_program(const ProgramRequest& request, const Unattended* unattended = nullptr);

// Runs the program again and records this launch in OpenedProgram::trace_of(). `folder` exists and receives
// the journal. Errors: the program does not come to this launch; the trace cannot be written; "cancelled".
Result<std::filesystem::path> record_launch(const OpenedProgram& program, std::uint64_t number,
                                            const std::filesystem::path& folder,
                                            const std::atomic<bool>* cancel = nullptr);

}  // namespace lanescope::session
