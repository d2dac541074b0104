#include "preview/model/filter_runner.h"

#include <utility>

namespace lanescope::preview {

FilterRunner::FilterRunner(FilterDevice& device, std::function<void()> ended)
    : ended_(std::move(ended)),
      device_runs_(device, {[this](const GpuFilter::Times& times) {
                                device_times_ = times;
                                ++generation_;
                            },
                            [this](const std::shared_ptr<Run>& run) { take_fetched(run); },
                            [this](const Diagnostics& why) { fail(why); },
                            [this](const Diagnostics& why) { leave_device(why); }}) {}

void FilterRunner::set_image(const image::Image& image) {
    run_.reset();
    facts_.reset();
    result_.set(image.samples);
}

void FilterRunner::start(const Request& request, std::optional<Box> visible) {
    request_ = request;
    visible_ = visible;
    diagnostics_.clear();
    problem_.reset();
    if (on_device_) {
        jobs_.cancel("filter");
        device_runs_.start(request_);
    } else {
        device_runs_.drop();
        start_on_cpu();
    }
}

void FilterRunner::start_on_cpu() {
    device_times_.reset();
    jobs_.start("filter", [this, request = request_, number = result_.begin_run(), visible = visible_](
                              JobContext& context) { return filter(request, number, visible, context); });
}

Jobs::Completion FilterRunner::filter(const Request& request, std::uint64_t number,
                                      std::optional<Box> visible, JobContext& context) {
    Result<std::unique_ptr<Run>> made = Run::make(request);
    if (!made) return [this, why = made.diagnostics()] { fail(why); };
    const std::shared_ptr<Run> run = std::move(*made);
    const auto show = [&](float share, std::uint32_t first, std::uint32_t end) {
        context.report(share * 0.9f);
        result_.take_rows(*run, number, first, end);
    };
    if (const Result<void> ran = run->run(visible, &context.cancel_flag(), show); !ran)
        return [this, why = ran.diagnostics()] { fail(why); };
    return find_facts(run, context);
}

Jobs::Completion FilterRunner::find_facts(const std::shared_ptr<const Run>& run, JobContext& context) {
    Result<RunFacts> found = facts_of(*run, &context.cancel_flag());
    if (!found) return [this, why = found.diagnostics()] { fail(why); };
    auto facts = std::make_shared<RunFacts>(std::move(*found));
    return [this, run, facts] {
        run_ = run;
        facts_ = std::move(*facts);
        ended_();
    };
}

void FilterRunner::take_fetched(const std::shared_ptr<Run>& run) {
    result_.set(run->result().samples);
    jobs_.start("filter", [this, run](JobContext& context) { return find_facts(run, context); });
}

// Goes on with the CPU machine; the problem says why.
void FilterRunner::leave_device(const Diagnostics& why) {
    on_device_ = false;
    start_on_cpu();
    problem_ = to_text(why.front());
}

void FilterRunner::fail(const Diagnostics& why) {
    diagnostics_ = why;
    problem_ = to_text(why.front());
}

void FilterRunner::cancel() {
    jobs_.cancel("filter");
    device_runs_.drop();
}

bool FilterRunner::update() {
    bool changed = device_runs_.update();
    changed |= jobs_.poll();
    if (!result_.take_changed()) return changed;
    ++generation_;
    return true;
}

void FilterRunner::wait() {
    device_runs_.wait();
    jobs_.wait("filter");
    (void)update();
}

std::optional<std::string> FilterRunner::take_problem() {
    return std::exchange(problem_, std::nullopt);
}

}  // namespace lanescope::preview
