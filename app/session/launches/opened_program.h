// A whole program that ran, with a recording of one of its launches.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "program/run.h"

namespace lanescope::session {

// Whether the file is a whole program: it uses CUDA, defines main() and has no front matter.
bool is_program(const std::filesystem::path& file);

struct ProgramRequest {
    std::filesystem::path file;          // the source
    std::vector<std::string> compiling;  // for nvcc
    std::vector<std::string> arguments;  // of the program
    std::vector<std::string> launches;   // to record, as in program::RunOptions; empty: the first choice
};

struct OpenedProgram {
    std::filesystem::path file;     // the source
    std::vector<std::string> argv;  // runs it
    std::filesystem::path traces;   // the folder for recordings
    program::ProgramRun run;        // what it did
    std::uint64_t launch = 0;       // the number of the launch that was recorded first
    std::filesystem::path trace;    // its recording
    std::filesystem::path trace_of(std::uint64_t number) const;
};

// Compiles and runs the program with the streams of this process, and records one launch. Errors: it does not
// compile or run; it launches nothing; no launch is the one that was asked for.
Result<OpenedProgram> open_program(const ProgramRequest& request);

// Runs the program again and records this launch in OpenedProgram::trace_of(). `folder` exists and receives
// the journal. Errors: the program does not come to this launch; the trace cannot be written; "cancelled".
Result<std::filesystem::path> record_launch(const OpenedProgram& program, std::uint64_t number,
                                            const std::filesystem::path& folder,
                                            const std::atomic<bool>* cancel = nullptr);

}  // namespace lanescope::session
