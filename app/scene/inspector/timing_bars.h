// Times of a topic's files on a GPU as bars.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lesson/course/registry.h"
#include "session/timing/timings.h"

namespace lanescope::scene {

// One bar. GB/s of the median; `low` and `high` of the slowest and the fastest run, `lower` and `upper` of
// the quartiles.
struct TimingBar {
    std::string title, figures, note;
    std::string why;             // of the open lesson: what decides its time
    std::filesystem::path file;  // opened by a click; empty: of a library
    bool open = false, library = false, wrong = false;
    double rate = 0, low = 0, high = 0, lower = 0, upper = 0;
    std::string details;  // tooltip
};

// Shares refer to the bandwidth of a copy. A library's bar comes from the open file's run if that has one,
// else from the library's fastest run. The first row, which has no bar, is the launch of an empty kernel, if
// its time is known.
std::vector<TimingBar> timing_bars(const session::SizeGroup& group, const lesson::Topic& topic,
                                   const lesson::LessonEntry* open, const session::TimedDevice& device);

}  // namespace lanescope::scene
