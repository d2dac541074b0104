// Runs of the open file, on the CPU machine and on a device, and traces that are opened: the jobs, and the
// last good run.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/jobs.h"
#include "session/runner/device_source.h"
#include "session/runner/prepared_trace.h"

namespace lanescope::session {

class Runner {
  public:
    // `jobs` ends its jobs before the runner is destroyed.
    explicit Runner(Jobs& jobs) : jobs_(jobs) {}

    // The block and the granularity that stepping begins with.
    struct View {
        std::uint32_t block = 0;
        trace::Granularity granularity = trace::Granularity::line;
    };
    // A newer request replaces an older one. A device has one run at a time; a newer request ends it and
    // follows it.
    void start(execution::RunRequest request, View view);
    void open_trace(const std::filesystem::path& file, trace::Granularity granularity);
    // Cancels the runs and traces that are on their way.
    void cancel();
    bool cancelled() const { return cancelled_; }  // the newest run was cancelled: run() is an older one
    void cancel_opening() { jobs_.cancel(open_tag); }

    // What has arrived since the last call of take().
    struct Finished {
        PreparedTrace prepared;
        std::optional<std::filesystem::path> opened;  // a saved trace, and the file that it was read from
    };
    std::optional<Finished> take() { return std::exchange(finished_, std::nullopt); }
    // A saved trace that could not be opened since the last call of take_not_opened().
    struct NotOpened {
        std::filesystem::path file;
        Diagnostics why;
    };
    std::optional<NotOpened> take_not_opened() { return std::exchange(not_opened_, std::nullopt); }
    // Makes it the last good run. `walk` is the replay of the run before.
    void show(std::shared_ptr<execution::RunResult> run, std::unique_ptr<trace::Replay> walk);
    // Leaves the open file without a good run.
    void drop(std::unique_ptr<trace::Replay> walk);

    // Plays a large trace and makes its report; until then RunResult::report_ready is false.
    void count();
    void stop_counting() { jobs_.cancel(count_tag); }
    bool counting() const { return jobs_.busy(count_tag); }

    // Sets the engine of the next run. Error: there is no device.
    Result<void> use_device(bool wanted);
    bool on_device() const { return on_device_; }
    void set_device_source(DeviceSource* source);  // outlives the runner, or is removed with null

    const std::shared_ptr<execution::RunResult>& run() const { return run_; }  // last good run; null at first
    std::uint64_t generation() const { return generation_; }                   // changes with the run
    const Diagnostics& diagnostics() const { return diagnostics_; }            // of the newest attempt
    void report(Diagnostics diagnostics) { diagnostics_ = std::move(diagnostics); }

    bool busy() const { return jobs_.busy(run_tag) || device_busy_ || opening(); }
    bool opening() const { return jobs_.busy(open_tag); }  // a saved trace
    float progress() const;                                // 0 … 1 while busy or counting
    execution::RunPhase phase() const;                     // of the run, while busy
    // How far the run on the CPU machine is, while it is busy; null: it runs elsewhere.
    const simt::RunWatch* watch() const { return device_busy_ || opening() ? nullptr : wanted_.watch.get(); }
    void wait();  // until all jobs have ended

    // Trace files of more bytes are shown before they are played and counted.
    static constexpr std::uintmax_t counted_at_once_bytes = 32u << 20;  // takes a fraction of a second
    void count_later_above(std::uintmax_t file_bytes) { counted_at_once_bytes_ = file_bytes; }

  private:
    static constexpr const char *run_tag = "run", *open_tag = "open", *device_tag = "run on the GPU",
                                *count_tag = "count", *free_tag = "free";

    Jobs::Completion run(const execution::RunRequest& request, const View& view, JobContext& context);
    void start_on_device();
    void end_on_device(Result<execution::RunResult> result, bool opened);
    void end_device_run();
    void free_run(std::unique_ptr<trace::Replay> walk);

    Jobs& jobs_;
    execution::RunRequest wanted_;  // the newest
    View view_;
    std::optional<Finished> finished_;
    std::optional<NotOpened> not_opened_;
    std::shared_ptr<execution::RunResult> run_;
    std::uint64_t generation_ = 0;
    Diagnostics diagnostics_;
    DeviceSource* devices_ = nullptr;
    bool on_device_ = false;
    bool cancelled_ = false;
    bool device_busy_ = false;      // a run on the device has not ended yet
    bool device_outdated_ = false;  // and its result is no longer wanted
    std::shared_ptr<std::atomic<bool>> device_cancel_ = std::make_shared<std::atomic<bool>>(false);
    std::uintmax_t counted_at_once_bytes_ = counted_at_once_bytes;
};

}  // namespace lanescope::session
