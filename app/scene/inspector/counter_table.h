// What the CPU machine counts beside what a GPU measured, for the launch of the step, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "session/session.h"
#include "session/timing/file_counters.h"

namespace lanescope::scene {

struct CounterLine {
    std::string name, counted, measured;  // "–": only measured
    std::string remark;                   // why the two differ
    bool flagged = false;                 // they differ, and nothing known explains it
};

struct CounterTable {
    std::string absent;     // why there are no figures; empty: there are
    std::string origin;     // "Optimised code on NVIDIA H200, driver 580.159.04, 2026-11-25"
    std::string launch;     // "launch 2 of 3: reduce"; empty: the file has only one
    std::string differs;    // "Measured with n = 64, not with this run's parameters."; empty: with these
    std::string summary;    // "11 equal, 2 explained"; empty: nothing was counted
    std::string uncounted;  // why nothing was counted
    std::vector<CounterLine> lines;
};

// The counters of the text that ran: this machine's, else those of a recording.
session::FileCounters counters_of_run(const session::Session& session);
CounterTable counter_table(const session::FileCounters& found, std::uint32_t launch);

// "64 %", "1.07 GB", "1 024": a counter in words, by its name.
std::string counter_words(const std::string& name, double value);

}  // namespace lanescope::scene
