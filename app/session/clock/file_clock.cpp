#include "session/clock/file_clock.h"

#include <algorithm>
#include <thread>

#include "session/clock/device_file.h"
#include "session/timing/file_times.h"

namespace lanescope::session {

namespace {

constexpr double most_seconds = 20;  // of a run in the background

}  // namespace

void FileClock::want() {
    wanted_ = true;
    if (outdated_) start();
}

void FileClock::follow(const execution::RunRequest& request, std::shared_ptr<const Timings> recorded) {
    if (!opened_ && (reading_ || busy()) && same_work(request, request_)) return;
    if (request.file != request_.file) what_if_ = {};
    forget();
    request_ = request;
    request_.device = nullptr;
    request_.watch = nullptr;
    request_.schedule = {};
    request_.recorded_blocks.clear();
    request_.limits.seconds = std::min(request_.limits.seconds, most_seconds);
    request_.limits.workers = std::max(1u, std::thread::hardware_concurrency() / 2);
    recorded_ = std::move(recorded);
    outdated_ = true;
    if (wanted_) start();
}

void FileClock::follow(std::shared_ptr<const execution::RunResult> opened,
                       std::shared_ptr<const Timings> recorded) {
    if (opened->file != request_.file) what_if_ = {};
    forget();
    request_ = {};
    request_.file = opened->file;
    opened_ = std::move(opened);
    recorded_ = std::move(recorded);
    outdated_ = true;
    if (wanted_) start();
}

void FileClock::drop() {
    forget();
    earlier_.reset();
    outdated_ = false;
}

void FileClock::forget() {
    for (const char* job : {tag, suppose_tag, sweep_tag})
        jobs_.cancel(job);
    if (reading_) earlier_ = std::move(reading_);
    reading_.reset();
    otherwise_.reset();
    clock_.reset();
    resources_.reset();
    opened_.reset();
    sweep_ = {};
    problem_.clear();
}

void FileClock::start() {
    outdated_ = false;
    if (!device_) {
        Result<analysis::DeviceModel> device = shipped_device();
        if (!device) {
            problem_ = to_text(device.diagnostics().front());
            return;
        }
        device_ = std::make_shared<const analysis::DeviceModel>(std::move(*device));
    }
    jobs_.start(tag,
                [this, request = request_, opened = opened_, recorded = recorded_,
                 device = device_](JobContext& context) -> Jobs::Completion {
                    const Result<Clock> wound =
                        opened ? Clock::of(*opened, *device, recorded.get())
                               : Clock::wind(request, *device, recorded.get(), &context.cancel_flag());
                    if (!wound)
                        return [this, why = to_text(wound.diagnostics().front())] {
                            problem_ = why;
                            earlier_.reset();
                        };
                    auto clock = std::make_shared<const Clock>(*wound);
                    auto reading =
                        std::make_shared<const ClockReading>(clock->read(*device, {}, most_intervals));
                    auto resources = std::make_shared<const Resources>(clock->resources());
                    return [this, clock, reading, resources] {
                        clock_ = clock;
                        resources_ = resources;
                        reading_ = reading;
                        earlier_.reset();
                        start_supposed();
                    };
                });
}

void FileClock::suppose(const WhatIf& supposed) {
    if (supposed == what_if_) return;
    what_if_ = supposed;
    start_supposed();
}

void FileClock::start_supposed() {
    jobs_.cancel(suppose_tag);
    if (what_if_ == WhatIf{} || !clock_) {
        otherwise_.reset();
        return;
    }
    jobs_.start(suppose_tag, [this, clock = clock_, device = device_, supposed = what_if_](JobContext&) {
        auto reading = std::make_shared<const ClockReading>(clock->read(*device, supposed, most_intervals));
        return [this, reading] { otherwise_ = reading; };
    });
}

void FileClock::sweep(const std::string& parameter) {
    if (!device_ || opened_ || !reading_) return;
    const auto now = reading_->parameters.find(parameter);
    const auto found = std::find_if(reading_->declared.begin(), reading_->declared.end(),
                                    [&](const lesson::Parameter& each) { return each.name == parameter; });
    if (found == reading_->declared.end() || now == reading_->parameters.end()) return;
    jobs_.start(sweep_tag, [this, parameter, request = request_, recorded = recorded_, device = device_,
                            values = swept_values(*found, now->second)](JobContext& context) {
        Sweep made{parameter, {}};
        for (std::size_t i = 0; i < values.size() && !context.cancelled(); ++i) {
            context.report(static_cast<float>(i) / static_cast<float>(values.size()));
            execution::RunRequest one = request;
            one.parameters[parameter] = values[i];
            const Result<Clock> wound = Clock::wind(one, *device, recorded.get(), &context.cancel_flag());
            SweepPoint point{values[i], 0, wound ? "" : wound.diagnostics().front().message};
            if (wound) {
                const analysis::CyclesEstimate estimate = wound->read(*device).estimate;
                point.microseconds = estimate.microseconds;
                point.refused = estimate.refused;
            }
            made.points.push_back(std::move(point));
        }
        return [this, made] { sweep_ = made; };
    });
}

std::vector<std::int64_t> swept_values(const lesson::Parameter& parameter, std::int64_t now) {
    constexpr std::size_t most_values = 12;
    constexpr std::int64_t most = 1 << 24;
    std::vector<std::int64_t> values = parameter.choices;
    if (values.empty()) {
        const std::int64_t least = std::max<std::int64_t>(1, parameter.min.value_or(1));
        const std::int64_t greatest = std::min(most, parameter.max.value_or(most));
        const std::int64_t factor = greatest / least > 4096 ? 4 : 2;
        for (std::int64_t value = 1; value <= greatest; value *= factor)
            if (value >= least) values.push_back(value);
    }
    values.push_back(now);
    std::erase_if(values, [&](std::int64_t value) { return !lesson::why_not(parameter, value).empty(); });
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    while (values.size() > most_values)
        values.erase(values.front() == now ? values.begin() + 1 : values.begin());
    if (values.size() < 2) values.clear();
    return values;
}

}  // namespace lanescope::session
