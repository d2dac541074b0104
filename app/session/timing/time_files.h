// Times of files on a real GPU. Each file is timed in a process of its own: a kernel that faults takes its
// process's context along, and one that never ends can be stopped in no other way.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/instance.h"
#include "session/timing/sweep.h"
#include "session/timing/timing_record.h"

namespace lanescope::session {

struct TimeRequest {
    std::vector<std::string> files;
    lesson::ParameterValues parameters;  // of every file
    std::vector<Sweep> sweeps;
    int runs = gpu::min_runs;
    double run_limit_s = 10;  // of one run of a file's launches
    bool peers = true;
    int device = 0;
};

// Why nothing can be timed here, in one line; nothing when it can.
Result<void> timing_possible();

// Files, settings and sweeps, without timing anything; what is left out of a sweep. Errors: as of
// time_files().
Result<std::vector<std::string>> check_time_request(const TimeRequest& request);

// `done` is told each record as it comes. Errors: bad files, settings and sweeps, before anything runs; no
// GPU. What goes wrong with one file stands in its record.
Result<TimingReport> time_files(const TimeRequest& request,
                                const std::function<void(const TimingRecord&)>& done = {});

// Entry point of the process that times one file: argv after "__time". Reads a request from standard input
// and writes a line of JSON for the device and for each size.
int time_worker_main();

}  // namespace lanescope::session
