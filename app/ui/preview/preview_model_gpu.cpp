// Runs of the preview on the GPU: the picture is there when the kernels have ended; what is said about it
// follows when the result was copied to the host.
#include <utility>

#include "ui/preview/preview_model.h"

namespace lanescope::ui {

void PreviewModel::use_gpu(bool wanted) {
    if (wanted == on_gpu_) return;
    on_gpu_ = wanted;
    start();
}

void PreviewModel::cancel() {
    jobs_.cancel("image");
    jobs_.cancel("filter");
    gpu_outdated_ = false;
    gpu_dropped_ = gpu_busy_;  // what comes out of it is not wanted any more
}

void PreviewModel::leave_gpu(const Diagnostics& why) {
    on_gpu_ = false;
    start();  // on the CPU machine
    problem_ = to_text(why.front());
}

void PreviewModel::start_on_gpu() {
    jobs_.cancel("filter");
    gpu_outdated_ = gpu_busy_;
    gpu_dropped_ = false;
    if (gpu_busy_) return;  // its end starts this one
    const Result<preview::GpuFilter*> filter = gpu_.begin(request_.image->width, request_.image->height);
    if (!filter) return leave_gpu(filter.diagnostics());
    gpu_busy_ = true;
    gpu_filter_ = *filter;
    jobs_.start(
        "device", [this, filter = *filter, request = request_](JobContext& context) -> Jobs::Completion {
            using Times = preview::GpuFilter::Times;
            Result<std::unique_ptr<preview::Run>> made = preview::Run::make(request);
            const std::shared_ptr<preview::Run> run = made ? std::move(*made) : nullptr;
            auto times = std::make_shared<Result<Times>>(run ? filter->run(*run, &context.cancel_flag())
                                                             : Result<Times>(made.diagnostics()));
            return [this, run, times] { end_on_gpu(run, *times); };
        });
}

void PreviewModel::end_on_gpu(const std::shared_ptr<preview::Run>& run,
                              const Result<preview::GpuFilter::Times>& times) {
    gpu_busy_ = false;
    const bool lost = gpu_filter_->lost();
    const bool dropped = std::exchange(gpu_dropped_, false), outdated = std::exchange(gpu_outdated_, false);
    const Result<void> shown = gpu_.end(times && !dropped);
    if (lost) return leave_gpu(times.diagnostics());
    if (outdated) return start();
    if (dropped) return;
    if (!times) {  // a mistake in the file: the last picture stays
        fail(times.diagnostics());
        return;
    }
    if (!shown) return leave_gpu(shown.diagnostics());
    gpu_times_ = *times;
    ++generation_;
    fetch_from_gpu(run);
}

// The device's memory is the next run's, so that waits.
void PreviewModel::fetch_from_gpu(const std::shared_ptr<preview::Run>& run) {
    gpu_busy_ = true;
    jobs_.start("device", [this, filter = gpu_filter_, run](JobContext&) -> Jobs::Completion {
        auto fetched = std::make_shared<Result<void>>(filter->fetch(*run));
        return [this, run, fetched] { end_fetch(run, *fetched); };
    });
}

void PreviewModel::end_fetch(const std::shared_ptr<preview::Run>& run, const Result<void>& fetched) {
    gpu_busy_ = false;
    if (std::exchange(gpu_outdated_, false)) return start();
    if (std::exchange(gpu_dropped_, false)) return;
    if (!fetched) return leave_gpu(fetched.diagnostics());
    {
        const std::lock_guard lock(live_->mutex);
        ++live_->newest;
        live_->samples = run->result().samples;
        live_->changed = true;
    }
    jobs_.start("filter", [this, run](JobContext& context) -> Jobs::Completion {
        Result<PreviewFacts> found = facts_of(*run, &context.cancel_flag());
        if (!found) return [this, why = found.diagnostics()] { problem_ = to_text(why.front()); };
        auto facts = std::make_shared<PreviewFacts>(std::move(*found));
        return [this, run, facts] { adopt(run, std::move(*facts)); };
    });
}

}  // namespace lanescope::ui
