// Times files on a real GPU, each in a process of its own: a kernel that faults breaks the context of its
// process, and only the end of the process stops a kernel that never ends.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "compile/flags.h"
#include "lesson/instance.h"
#include "lesson/launch_words.h"
#include "session/timing/sweep.h"
#include "session/timing/timing_record.h"

namespace lanescope::session {

// Another machine or process whose GPU times files. It needs neither the files nor a compiler.
struct TimingPlace {
    // Runs this program there as the process that times, with this input, for at most so many milliseconds.
    using Run = std::function<Result<ProcessOutcome>(const std::string& input, int limit_ms,
                                                     const std::atomic<bool>* cancel)>;
    Run run;
    int compute_capability = 0;  // of its GPU, 90; code is compiled for it here
};

// Errors: there is no GPU that can be used; those of `run`.
Result<TimingPlace> timing_place(TimingPlace::Run run, int device);

struct TimeRequest {
    std::vector<std::string> files;
    std::optional<std::string> text;     // of the only file, instead of what is saved
    lesson::ParameterValues parameters;  // of every file
    compile::Flags flags;                // of every file; the GPU determines the target
    std::string kernel;                  // which kernel a launch is proposed for; empty: the first
    lesson::LaunchWords launch;          // what is stated of that launch
    std::vector<Sweep> sweeps;
    int runs = gpu::min_runs;
    double run_limit_s = 10;  // of one run of a file's launches
    bool peers = true;
    bool lines = false;     // also where the time goes, from samples of further runs
    bool counters = false;  // also the GPU's counters of a further run
    std::function<bool(const TimingRecord&)> counters_of;  // only of these records; empty: of all
    double counts_limit_s = 30;  // of the CPU machine's run that counts beside the GPU; 0: it does not count
    int device = 0;
    std::optional<TimingPlace> place;                    // nothing: this machine
    std::function<void(const std::string& words)> tell;  // what is done at the moment; may be empty
};

// Returns the name of this machine's GPU, "NVIDIA H200". Error: why nothing can be timed here, in one line.
Result<std::string> timing_possible();

// Checks files, settings and sweeps without timing anything. Returns notes on the values that a sweep leaves
// out. Errors: those of time_files().
Result<std::vector<std::string>> check_time_request(const TimeRequest& request);

// The course's place of a file of the course, wherever it was opened from: "kernels/reduction/modulo.cu"; any
// other file's name as it was given. Records name their files so.
std::string recorded_name(const std::string& file);

// Calls `done` with each record as it comes. The time limits hold for each size of a file, not for all
// together. `cancel` ends the process that times a file. Errors: bad files,
// settings and sweeps, before anything runs; no GPU; "cancelled". The record of a file has the file's own
// errors.
Result<TimingReport> time_files(const TimeRequest& request,
                                const std::function<void(const TimingRecord&)>& done = {},
                                const std::atomic<bool>* cancel = nullptr);

// Entry point of the process that times one file: argv after "__time". Reads a request from standard input
// and writes a line of JSON for the device and for each size.
int time_worker_main();

}  // namespace lanescope::session
