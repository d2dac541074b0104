// Times of lessons in the window: the recording that comes with the program, and what was measured here.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "lesson/instance.h"
#include "session/timing/roofline.h"
#include "session/timing/timings.h"

namespace lanescope::session {

enum class GpuState : std::uint8_t { unknown, usable, missing };

class LessonTimings {
  public:
    LessonTimings(Jobs& jobs, std::function<Result<std::string>()> possible);  // see GpuTimer

    // The times measured on this machine's GPU, else the recording; null when there is neither.
    std::shared_ptr<const Timings> shown() const;
    std::shared_ptr<const Timings> recording() const { return recording_; }  // null: there is none
    std::shared_ptr<const Timings> measured() const { return measured_; }    // null: nothing yet
    // Counters of lessons with their default parameters; null: there are none.
    std::shared_ptr<const Timings> recorded_counters() const { return counters_; }
    // What is known beside the times, for the roofline; null: nothing is installed.
    std::shared_ptr<const RooflineFacts> roofline() const { return roofline_; }
    void set(std::shared_ptr<const Timings> timings);
    void show_recording() { prefer_recording_ = true; }  // instead of the measured times
    const Diagnostics& problems() const {
        return problems_;
    }  // the recording is unreadable, measuring failed

    void find_gpu();  // finds out, in a job, whether kernels can be timed here
    GpuState gpu() const { return gpu_; }
    const std::string& gpu_name() const { return gpu_name_; }  // "NVIDIA H200"; empty unless usable
    const std::string& no_gpu() const { return no_gpu_; }      // why kernels cannot be timed here

    struct File {
        std::string file;
        lesson::ParameterValues parameters;
        bool count = false;  // the CPU machine counts beside the GPU, as far as seconds suffice
    };
    // Times one file after the other, in a job, once find_gpu() has found a GPU.
    void measure(std::vector<File> files);
    void cancel() { jobs_.cancel(measure_tag); }
    bool measuring() const { return jobs_.busy(measure_tag); }
    float progress() const { return jobs_.share(measure_tag); }  // 0 … 1 while measuring
    // As long as the files so far took on average, for each of the others; none before the first has ended.
    std::optional<double> seconds_left() const;
    void wait() { jobs_.wait(gpu_tag); }

  private:
    static constexpr const char *gpu_tag = "gpu", *measure_tag = "measure";

    static Result<Timings> measure_all(const std::vector<File>& files, JobContext& context);
    void add(Timings timings);

    Jobs& jobs_;
    std::function<Result<std::string>()> possible_;
    std::chrono::steady_clock::time_point measuring_since_;
    std::shared_ptr<const Timings> recording_, measured_, counters_;
    std::shared_ptr<const RooflineFacts> roofline_;
    Diagnostics problems_;
    bool prefer_recording_ = false;
    GpuState gpu_ = GpuState::unknown;
    std::string gpu_name_, no_gpu_;
};

// Returns the files of the topic with inputs of so many elements, as in `shown`, and the open file with its
// own parameters, which the CPU machine counts as well. `topic` and `shown` may be null.
std::vector<LessonTimings::File> files_to_measure(const lesson::Topic* topic, const Timings* shown,
                                                  std::uint64_t elements, const LessonTimings::File& open);

}  // namespace lanescope::session
