// Whole programs: `lanescope run program.cu`, `lanescope build -- make` and `lanescope record -- ./program`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/outputs.h"
#include "base/result.h"
#include "session/launches/opened_program.h"

namespace CLI {
class App;
}

namespace lanescope {

struct ProgramOptions {
    std::vector<std::string> compiling;  // for nvcc
    std::vector<std::string> words;      // behind `--`: the program's arguments, or the whole command
    std::vector<std::string> launches;   // to record
    bool all = false;                    // record all of them
    std::string save;                    // the trace, or with several launches the folder of traces
    std::vector<std::string> dumps;      // NAME=FILE: buffers after the first recorded launch
    bool json = false;
    bool whole = false;  // the program runs although the file has front matter
    bool no_host_code = false;
    std::string engine = "cpu";
    bool check = false;    // looks for races in all launches, too, and lists what was found
    bool leaks = false;    // with `check`: what is not freed is a problem
    std::string schedule;  // empty: round robin, and with `check` others, too
    std::string sarif;     // with `check`: the file for findings
    double timeout_s = 0;
    double memory_gib = 0;

    // Adds what `run` offers for programs; `record` has all options.
    void add_launches_to(CLI::App& app);
    void add_record_to(CLI::App& app);

  private:
    void add_check_to(CLI::App& app);
};

// Whether the file runs as a program: it uses CUDA, defines main() and has no front matter or the options ask
// for a program, they allow its host code to run, and there is nvcc; without nvcc, a note on standard error
// says so.
bool runs_as_program(const std::string& file, const ProgramOptions& options);

// The compute capability of the GPU for which code is made, at most that of the newest PTX that recordings
// understand. Error: there is no GPU that works.
Result<int> gpu_capability();

// The outputs of --save and --sarif, for check_outputs(). Several launches are saved in a folder.
std::vector<Output> trace_and_sarif(const std::string& save, const std::string& sarif,
                                    const ProgramOptions& options);

// Makes the request one for this engine, "cpu" or "gpu". Errors: no GPU that works; --check with a GPU.
Result<void> choose_engine(session::ProgramRequest& request, const std::string& engine);

Diagnostic not_a_program(const std::string& file);  // it was given arguments or --launch

// Runs the program, prints what it did, and records the launch that a person wants to see first (or the one
// in `options`). Errors: it does not compile or run; it launches nothing.
Result<session::OpenedProgram> record_first_choice(const std::string& file, const ProgramOptions& options);

// Return the exit code.
int run_program_command(const std::string& file, const ProgramOptions& options);
int record_command(const ProgramOptions& options);
int build_command(const std::vector<std::string>& command);

}  // namespace lanescope
