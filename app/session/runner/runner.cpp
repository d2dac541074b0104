#include "session/runner/runner.h"
#include "execution/run/opened_trace.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/free_memory.h"

namespace lanescope::session {

namespace fs = std::filesystem;

namespace {

constexpr double most_device_seconds = 10;  // of a launch

execution::RunProgress reporter(JobContext& context) {
    return [&context](execution::RunPhase phase, float share) {
        context.report(share, static_cast<int>(phase));
    };
}

}  // namespace

// --- The CPU machine ---------------------------------------------------------------------------------------

void Runner::start(execution::RunRequest request, View view) {
    wanted_ = std::move(request);
    view_ = view;
    end_device_run();
    cancelled_ = false;
    if (on_device_) return start_on_device();
    wanted_.watch = std::make_shared<simt::RunWatch>();
    jobs_.start(run_tag, [this, request = wanted_, view](JobContext& context) -> Jobs::Completion {
        try {
            return run(request, view, context);
        } catch (const std::bad_alloc&) {
        } catch (const std::length_error&) {
        }
        return [this] {
            diagnostics_ = {error("the run needs more memory than there is", "use smaller parameters")};
        };
    });
}

Jobs::Completion Runner::run(const execution::RunRequest& request, const View& view, JobContext& context) {
    Result<execution::RunResult> result =
        execution::execute(request, &context.cancel_flag(), reporter(context));
    if (context.cancelled()) {
        result = error("cancelled");
        return_freed_memory();
    }
    if (!result) return [this, why = result.diagnostics()] { diagnostics_ = why; };
    auto prepared = std::make_shared<PreparedTrace>(std::move(*result), view.block, view.granularity);
    return [this, prepared] { finished_ = {std::move(*prepared), {}}; };
}

void Runner::cancel() {
    cancelled_ = cancelled_ || jobs_.busy(run_tag) || device_busy_;
    jobs_.cancel(run_tag);
    jobs_.cancel(open_tag);
    stop_counting();
    end_device_run();
}

// Its completion still gives the device back.
void Runner::end_device_run() {
    device_outdated_ = device_busy_;
    device_cancel_->store(device_busy_);
}

// --- A device ----------------------------------------------------------------------------------------------

Result<void> Runner::use_device(bool wanted) {
    if (wanted && devices_ == nullptr) return error("the GPU engine is not available");
    on_device_ = wanted;
    return {};
}

void Runner::set_device_source(DeviceSource* source) {
    if (device_busy_) {  // its buffers belong to the source that is being removed
        cancel();
        jobs_.wait(device_tag);
        jobs_.poll();
    }
    devices_ = source;
    if (source == nullptr) on_device_ = false;
}

void Runner::start_on_device() {
    jobs_.cancel(run_tag);
    if (device_busy_) return;  // end_on_device() starts it
    const Result<gpu::TraceDevice*> device = devices_->begin_run();
    if (!device) {  // the last good run stays
        on_device_ = false;
        diagnostics_ = device.diagnostics();
        return;
    }
    execution::RunRequest request = wanted_;
    request.device = *device;
    request.schedule = {};
    request.limits.seconds = std::min(request.limits.seconds, most_device_seconds);
    device_busy_ = true;
    device_cancel_ = std::make_shared<std::atomic<bool>>(false);
    jobs_.start(device_tag,
                [this, request, cancel = device_cancel_](JobContext& context) -> Jobs::Completion {
                    context.report(0, static_cast<int>(execution::RunPhase::connecting));
                    const Result<void> opened = request.device->open(cancel.get());
                    if (!opened) return [this, why = opened.diagnostics()] { end_on_device(why, false); };
                    context.report(0, static_cast<int>(execution::RunPhase::compiling));
                    auto result = std::make_shared<Result<execution::RunResult>>(
                        execute_on_device(request, cancel.get(), reporter(context)));
                    return [this, result] { end_on_device(std::move(*result), true); };
                });
}

// `opened`: whether the device could be opened; if not, the CPU machine is the engine again. The last good
// run stays.
void Runner::end_on_device(Result<execution::RunResult> result, bool opened) {
    const bool outdated = std::exchange(device_outdated_, false);
    device_busy_ = false;
    devices_->end_run(result && !outdated ? &*result : nullptr);
    if (outdated) {
        if (on_device_ && !cancelled_) start_on_device();
        return;
    }
    if (!opened) on_device_ = false;
    if (!result) {
        diagnostics_ = result.diagnostics();
        return;
    }
    finished_ = {PreparedTrace(std::move(*result), view_.block, view_.granularity), {}};
}

// --- Saved traces ------------------------------------------------------------------------------------------

// The file that is open stays until the trace has been read.
void Runner::open_trace(const fs::path& file, trace::Granularity granularity) {
    jobs_.start(
        open_tag,
        [this, file, granularity, at_once = counted_at_once_bytes_](JobContext& context) -> Jobs::Completion {
            std::error_code unknown;
            const std::uintmax_t size_bytes = fs::file_size(file, unknown);
            const bool large = !unknown && size_bytes > at_once;
            Result<execution::RunResult> opened =
                large ? execution::open_trace_uncounted(file.string()) : execution::open_trace(file.string());
            if (!opened) return [this, file, why = opened.diagnostics()] { not_opened_ = {file, why}; };
            if (context.cancelled()) return {};
            auto prepared = std::make_shared<PreparedTrace>(std::move(*opened), 0, granularity);
            if (const Result<void> ready = prepared->make_first_step_near(context); !ready)
                return [this, file, why = ready.diagnostics()] { not_opened_ = {file, why}; };
            return [this, file, prepared] {
                jobs_.cancel(run_tag);
                finished_ = {std::move(*prepared), file};
            };
        });
}

void Runner::count() {
    if (!run_ || run_->report_ready || counting()) return;
    jobs_.start(count_tag,
                [this, trace = run_->trace, instructions = run_->instructions,
                 file = run_->file](JobContext& context) -> Jobs::Completion {
                    auto report = std::make_shared<Result<analysis::Report>>(
                        execution::count_trace(*trace, *instructions, file, &context.cancel_flag(),
                                               [&](float share) { context.report(share); }));
                    if (context.cancelled()) return {};
                    return [this, report] {
                        if (!*report) {  // the trace cannot be shown after all
                            drop({});
                            diagnostics_ = report->diagnostics();
                            return;
                        }
                        run_->report = std::move(**report);
                        run_->report_ready = true;
                    };
                });
}

// --- The last good run -------------------------------------------------------------------------------------

void Runner::show(std::shared_ptr<execution::RunResult> run, std::unique_ptr<trace::Replay> walk) {
    diagnostics_.clear();
    cancelled_ = false;
    free_run(std::move(walk));
    run_ = std::move(run);
}

// Another file's run must not stand beside this file's source or errors.
void Runner::drop(std::unique_ptr<trace::Replay> walk) {
    free_run(std::move(walk));
    diagnostics_.clear();
    cancelled_ = false;
}

// Frees gigabytes in a job, because that would hold up the frame loop.
void Runner::free_run(std::unique_ptr<trace::Replay> walk) {
    constexpr std::size_t many_turns = 1'000'000;
    stop_counting();
    ++generation_;
    if (run_ && run_->trace && run_->trace->turns.size() > many_turns)
        jobs_.start(free_tag,
                    [old = std::move(run_), walk = std::shared_ptr<trace::Replay>(std::move(walk))](
                        JobContext&) mutable -> Jobs::Completion {
                        walk.reset();
                        old.reset();
                        return_freed_memory();
                        return {};
                    });
    run_.reset();
}

// --- Progress ----------------------------------------------------------------------------------------------

float Runner::progress() const {
    if (opening()) return jobs_.share(open_tag);
    if (!busy() && counting()) return jobs_.share(count_tag);
    return jobs_.share(device_busy_ ? device_tag : run_tag);
}

execution::RunPhase Runner::phase() const {
    return static_cast<execution::RunPhase>(jobs_.phase(device_busy_ ? device_tag : run_tag));
}

void Runner::wait() {
    do {  // an outdated run on the device is followed by another one
        for (const char* tag : {open_tag, run_tag, device_tag, count_tag})
            jobs_.wait(tag);
        jobs_.poll();
    } while (device_busy_ || counting());
}

}  // namespace lanescope::session
