// Times of the course's lessons as a person compares them: the files of a topic at one size, and the
// libraries beside them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lesson/course/registry.h"
#include "session/timing/timing_record.h"

namespace lanescope::session {

// Where the times come from: this machine's GPU, or a recording.
struct Timings {
    TimingReport report;
    bool recorded = false;

    // "recorded on NVIDIA H200, CUDA 13.0, driver 580.95.05, 2026-11-22"
    std::string origin() const;
};

// The recording that the project ships; null with no diagnostics when there is none. `kind`: "timings", or
// "counters" for those of lessons with their default parameters. Errors: those of timing_report_of().
Result<std::shared_ptr<const Timings>> shipped_recording(const std::filesystem::path& assets_folder,
                                                         const std::string& kind = "timings");

// The files of a topic with inputs of one size, within one percent.
struct SizeGroup {
    std::uint64_t elements = 0;
    std::vector<const TimingRecord*> records;  // in the order of the course, each file once
};
// Returns the smallest size first. Points into `timings`. The front matter of a file says what its input is.
std::vector<SizeGroup> sizes_of(const Timings& timings, const lesson::Topic& topic);
// Returns each library's implementation once, from the run in which it was fastest. Copies are left out,
// because they are the ceiling.
std::vector<const PeerRecord*> peers_of(const SizeGroup& group);

double gb_per_s(std::uint64_t bytes, double milliseconds);  // 10^9 bytes per second
std::string size_words(std::uint64_t elements);             // "2^28", "1 000 003"
std::string time_words(double milliseconds);                // "12.3 µs", "1.23 ms"

}  // namespace lanescope::session
