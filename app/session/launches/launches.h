// The open program: its launches, the one that is shown, and the recording of another one in a job.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/jobs.h"
#include "session/launches/opened_program.h"

namespace lanescope::session {

class Launches {
  public:
    explicit Launches(Jobs& jobs) : jobs_(jobs) {}

    // Null: the open file is not a program that ran here.
    const OpenedProgram* program() const { return program_.get(); }
    std::uint64_t generation() const { return generation_; }       // changes with the program
    std::optional<std::uint64_t> shown() const { return shown_; }  // the launch whose recording is open
    std::filesystem::path shown_trace() const {
        return shown_ ? program_->trace_of(*shown_) : std::filesystem::path();
    }
    const Diagnostics& problems() const { return problems_; }  // why the newest recording failed

    void open(OpenedProgram program);  // its recording is the next that is to be opened
    bool is_recording(const std::filesystem::path& trace) const { return recorded_.contains(trace); }
    void show(const std::filesystem::path& trace) {
        shown_ = recorded_.at(trace);
    }  // the recording is open now
    // The open file is another one now, which closes the program of a different file.
    void follow(const std::filesystem::path& file);
    void close();

    // Records this launch of the program in a job, unless that was done before; see take().
    void record(std::uint64_t number);
    // The number of the launch that is being recorded.
    std::optional<std::uint64_t> recording() const {
        return jobs_.busy(record_tag) ? std::optional(recording_) : std::nullopt;
    }
    // While recording, 0 … 1: the share of what the program did the first time.
    float progress() const;
    void cancel() { jobs_.cancel(record_tag); }
    void wait();

    // The recording that is to be opened; since the last call of take().
    std::optional<std::filesystem::path> take() { return std::exchange(finished_, std::nullopt); }

  private:
    static constexpr const char* record_tag = "record a launch";

    Jobs& jobs_;
    std::shared_ptr<const OpenedProgram> program_;
    std::uint64_t generation_ = 0;
    std::map<std::filesystem::path, std::uint64_t> recorded_;  // of the program; launches by their traces
    std::optional<std::uint64_t> shown_;
    std::uint64_t recording_ = 0;
    std::filesystem::path journal_;  // of the recording
    std::optional<std::filesystem::path> finished_;
    Diagnostics problems_;
};

}  // namespace lanescope::session
