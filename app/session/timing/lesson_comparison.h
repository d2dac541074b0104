// Compares what was measured for a lesson with the lesson that it improves on: ratios counted by the CPU
// machine at the default sizes, and times recorded on a GPU at the largest size that both have.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "session/timing/timings.h"

namespace lanescope::session {

// Counts of one lesson with its default parameters, debug code, round robin; the names are those of the JSON.
struct LessonCounts {
    double simt_efficiency = 0;
    std::uint64_t global_load_requests = 0, global_load_sectors = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0;
    std::uint64_t shared_requests = 0, shared_wavefronts = 0;  // loads and stores
};
struct CountedLesson {
    LessonCounts own;
    std::string before;     // the lesson that it is measured against, "reduction/modulo"; empty: none
    LessonCounts baseline;  // of that lesson, with the parameters of this one
    int look_step = 0;      // the step at the place that the lesson says to look at, from 1; 0: none
};
using CourseCounts = std::map<std::string, CountedLesson>;  // by "reduction/modulo"

// Reads assets/counts.json, which tests/timings/counts.py writes. Errors: a file that cannot be read, counts
// that are missing.
Result<CourseCounts> read_counts(const std::filesystem::path& file);

// Returns one paragraph of Markdown; empty when nothing was measured. `timings`: may be null.
std::string lesson_comparison_text(const lesson::Topic& topic, const lesson::LessonEntry& entry,
                                   const CourseCounts& counts, const Timings* timings);

}  // namespace lanescope::session
