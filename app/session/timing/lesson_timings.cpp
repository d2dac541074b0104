#include "session/timing/lesson_timings.h"

#include <algorithm>

#include "base/files.h"
#include "base/folders.h"
#include "session/timing/time_files.h"

namespace lanescope::session {

LessonTimings::LessonTimings(Jobs& jobs, std::function<Result<std::string>()> possible)
    : jobs_(jobs), possible_(std::move(possible)) {
    auto read = shipped_recording(resource_folder() / "assets");
    if (read)
        recording_ = std::move(*read);
    else
        problems_ = read.diagnostics();
    auto counters = shipped_recording(resource_folder() / "assets", "counters");
    if (counters)
        counters_ = std::move(*counters);
    else
        problems_ = counters.diagnostics();
    auto facts = shipped_roofline(resource_folder() / "assets");
    if (facts)
        roofline_ = std::move(*facts);
    else
        problems_ = facts.diagnostics();
}

std::shared_ptr<const Timings> LessonTimings::shown() const {
    return measured_ && !prefer_recording_ ? measured_ : recording_;
}

void LessonTimings::set(std::shared_ptr<const Timings> timings) {
    (timings->recorded ? recording_ : measured_) = std::move(timings);
}

void LessonTimings::find_gpu() {
    if (gpu_ != GpuState::unknown || jobs_.busy(gpu_tag)) return;
    jobs_.start(gpu_tag, [this](JobContext&) -> Jobs::Completion {
        auto possible = std::make_shared<Result<std::string>>(possible_());
        return [this, possible] {
            gpu_ = *possible ? GpuState::usable : GpuState::missing;
            (*possible ? gpu_name_ : no_gpu_) =
                *possible ? **possible : possible->diagnostics().front().message;
        };
    });
}

// Times file after file, so that a person can stop between two.
Result<Timings> LessonTimings::measure_all(const std::vector<File>& files, JobContext& context) {
    Timings all;
    for (std::size_t i = 0; i < files.size() && !context.cancelled(); ++i) {
        context.report(static_cast<float>(i) / static_cast<float>(files.size()));
        TimeRequest request;
        request.files = {files[i].file};
        request.parameters = files[i].parameters;
        request.lines = true;
        request.counters = true;
        constexpr double most_seconds = 5;
        request.counts_limit_s = files[i].count ? most_seconds : 0;
        Result<TimingReport> report = time_files(request, {}, &context.cancel_flag());
        if (!report) return report.diagnostics();
        all.report.device = std::move(report->device);
        all.report.date = std::move(report->date);
        for (TimingRecord& record : report->timings)
            all.report.timings.push_back(std::move(record));
    }
    return all;
}

void LessonTimings::measure(std::vector<File> files) {
    if (gpu_ != GpuState::usable) return;
    measuring_since_ = std::chrono::steady_clock::now();
    jobs_.start(measure_tag, [this, files = std::move(files)](JobContext& context) -> Jobs::Completion {
        auto timed = std::make_shared<Result<Timings>>(measure_all(files, context));
        return [this, timed] {
            problems_.clear();
            if (*timed)
                add(std::move(**timed));
            else
                problems_ = timed->diagnostics();
        };
    });
}

std::optional<double> LessonTimings::seconds_left() const {
    const float share = progress();
    if (!measuring() || share <= 0) return std::nullopt;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - measuring_since_;
    return spent.count() * (1 - share) / share;
}

// Newer times of the same work replace older ones.
void LessonTimings::add(Timings timings) {
    if (measured_) (void)add_older(timings.report, measured_->report);  // of this machine, both
    measured_ = std::make_shared<Timings>(std::move(timings));
    prefer_recording_ = false;
}

std::vector<LessonTimings::File> files_to_measure(const lesson::Topic* topic, const Timings* shown,
                                                  std::uint64_t elements, const LessonTimings::File& open) {
    std::vector<LessonTimings::File> files;
    const auto is_open = [&](const lesson::LessonEntry& entry, const TimingRecord& record) {
        return entry.path.string() == open.file && record.parameters == open.parameters;
    };
    if (topic && shown)
        for (const SizeGroup& group : sizes_of(*shown, *topic))
            for (const TimingRecord* record : group.records) {
                if (group.elements != elements) continue;
                const std::filesystem::path name = std::filesystem::path(record->file).filename();
                for (const lesson::LessonEntry& entry : topic->lessons)
                    if (entry.path.filename() == name && !is_open(entry, *record))
                        files.push_back({entry.path.string(), record->parameters});
            }
    if (!open.file.empty()) files.push_back({open.file, open.parameters, true});
    return files;
}

}  // namespace lanescope::session
