// On which lines of the open file the time of an untouched run on a GPU goes, measured or estimated, in
// words.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "session/session.h"

namespace lanescope::scene {

// The samples of the open file: this machine's, else those of the recording, else an estimate.
struct GpuTime {
    std::shared_ptr<const session::Timings> timings;  // `record` points into it
    const session::TimingRecord* record = nullptr;    // with lines; null: `absent` says why
    std::string absent;                               // "this text was not the one that was sampled"
    // Beside the samples, or instead of them; null: none has been made.
    std::shared_ptr<const session::ClockReading> reading;
    std::shared_ptr<const session::LineTimes> estimate;  // of the reading

    bool estimated() const { return record == nullptr && estimate != nullptr; }
    const session::LineTimes* lines() const;  // null: neither samples nor an estimate
};

// Samples count only for exactly the text that was sampled. An edited text has an estimate, as soon as the
// session's clock has one.
GpuTime gpu_time(const session::Session& session);

// Calls gpu_time() only when the file, its text or the times have changed.
class GpuTimeOfFile {
  public:
    const GpuTime& of(const session::Session& session);

  private:
    GpuTime shown_;
    std::shared_ptr<const session::Timings> timings_, recording_;
    std::shared_ptr<const session::ClockReading> reading_;
    bool estimating_ = false;
    std::string path_, text_;
    bool known_ = false;
};

// "NVIDIA H200, driver 580.159.04, 2026-11-24"; "this machine's NVIDIA H200, driver 580.159.04"; "an NVIDIA
// H200, estimated".
std::string gpu_words(const GpuTime& time);
// "n = 1 024, block = 32": what was sampled; empty for a file without parameters.
std::string settings_words(const lesson::ParameterValues& parameters);
std::string settings_words(const GpuTime& time);
// Origin, settings and the number of samples, for a tooltip.
std::string gpu_time_text(const GpuTime& time);

// Share of the line in the time of all warps, 0 … 1; 0: no sample.
double time_share(const GpuTime& time, std::uint32_t line);
// The same relative to the line that takes most.
double time_bar(const GpuTime& time, std::uint32_t line);
// "55 %", "1.2 %", "<0.1 %".
std::string percent_words(double share);
// The same of an estimate: "≈ 55 %".
std::string share_words(const GpuTime& time, double share);

struct StallWords {
    std::string words;  // "waits for global or local memory"
    double share = 0;   // of the line's own time, 0 … 1
};
// What the warps on the line do, the largest share first; what takes less than half a percent is left out.
std::vector<StallWords> stalls_on_line(const GpuTime& time, std::uint32_t line);
// Share and reasons of a line, for a tooltip; empty: no sample.
std::string line_time_text(const GpuTime& time, std::uint32_t line);

// "sequential 37 %, ordered 63 %", the largest first; empty if the file has only one kernel.
std::string kernel_shares(const session::TimingRecord& record);

}  // namespace lanescope::scene
