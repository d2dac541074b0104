// The launches of a program as rows, and the rows that a filter leaves.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program/run.h"

namespace lanescope::scene {

struct LaunchRow {
    std::uint64_t number = 0;
    std::string kernel;    // in full
    std::string work;      // "1 234 567" warp instructions; "12.3 µs" on a GPU
    std::string problems;  // "2 problems", "1 note", "deadlock"; empty: none
    bool problem = false;  // not only notes
    std::string details;   // sizes, buffers, the host's line
    std::string story;     // all of it in sentences, for a tooltip
};

using BufferNames = std::map<std::uint64_t, std::string>;  // of the host's variables, by number
BufferNames buffer_names(const program::ProgramRun& run);
LaunchRow launch_row(const program::ProgramRun& run, const program::ProgramLaunch& launch,
                     const BufferNames& names);
std::vector<LaunchRow> launch_rows(const program::ProgramRun& run);
// The heading of LaunchRow::work.
std::string work_heading(const program::ProgramRun& run);

struct LaunchFilter {
    std::string kernel;     // a part of the name, in any case; empty: all
    bool problems = false;  // only launches with problems
    bool operator==(const LaunchFilter&) const = default;
};
// Indices of the rows that the filter leaves, ascending.
std::vector<std::size_t> filtered(const std::vector<LaunchRow>& rows, const LaunchFilter& filter);

// "reduce.cu:41"; empty: not known.
std::string place_words(const program::HostPlace& place);

}  // namespace lanescope::scene
