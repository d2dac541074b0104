// Times in the window: the recording that comes with the program, and measuring on this machine's GPU.
#include <algorithm>

#include "base/files.h"
#include "session/state.h"
#include "session/timing/time_files.h"

namespace lanescope::session {

namespace {

bool same_work(const TimingRecord& a, const TimingRecord& b) {
    return a.file == b.file && a.parameters == b.parameters;
}

const lesson::Topic* topic_of(const lesson::Registry& registry, const lesson::LessonEntry* lesson) {
    for (const lesson::Topic& topic : registry.topics)
        for (const lesson::LessonEntry& each : topic.lessons)
            if (&each == lesson) return &topic;
    return nullptr;
}

// File after file, so that a person can stop between two; nothing when it was stopped.
Result<Timings> measure_files(const std::vector<MeasuredFile>& files, JobContext& context) {
    Timings all;
    for (std::size_t i = 0; i < files.size() && !context.cancelled(); ++i) {
        context.report(static_cast<float>(i) / static_cast<float>(files.size()));
        TimeRequest request;
        request.files = {files[i].file};
        request.parameters = files[i].parameters;
        Result<TimingReport> report = time_files(request);
        if (!report) return report.diagnostics();
        all.report.device = std::move(report->device);
        all.report.date = std::move(report->date);
        for (TimingRecord& record : report->timings)
            all.report.timings.push_back(std::move(record));
    }
    return all;
}

}  // namespace

void Session::State::load_recording() {
    auto read = shipped_recording(resource_folder() / "assets");
    if (read)
        recording = std::move(*read);
    else
        timing_problems = read.diagnostics();
}

void Session::State::find_gpu() {
    if (gpu != GpuState::unknown || jobs.busy(gpu_tag)) return;
    jobs.start(gpu_tag, [this](JobContext&) -> Jobs::Completion {
        auto possible = std::make_shared<Result<void>>(timing_possible());
        return [this, possible] {
            gpu = *possible ? GpuState::usable : GpuState::missing;
            if (!*possible) no_gpu = possible->diagnostics().front().message;
        };
    });
}

std::vector<MeasuredFile> Session::State::files_to_measure(std::uint64_t elements) const {
    std::vector<MeasuredFile> files;
    const std::shared_ptr<const Timings> shown = measured && !prefer_recording ? measured : recording;
    const lesson::Topic* topic = topic_of(registry, lesson);
    bool has_open = false;
    if (topic && shown)
        for (const SizeGroup& group : sizes_of(*shown, *topic))
            for (const TimingRecord* record : group.records) {
                if (group.elements != elements) continue;
                const std::filesystem::path name = std::filesystem::path(record->file).filename();
                for (const lesson::LessonEntry& entry : topic->lessons)
                    if (entry.path.filename() == name) {
                        files.push_back({entry.path.string(), record->parameters});
                        has_open = has_open || &entry == lesson;
                    }
            }
    if (!has_open && !path.empty()) files.push_back({path.string(), parameters});
    return files;
}

void Session::State::start_measuring(std::uint64_t elements) {
    if (gpu != GpuState::usable) return;
    jobs.start(measure_tag,
               [this, files = files_to_measure(elements)](JobContext& context) -> Jobs::Completion {
                   auto timed = std::make_shared<Result<Timings>>(measure_files(files, context));
                   return [this, timed] {
                       timing_problems.clear();
                       if (*timed)
                           add_measured(std::move(**timed));
                       else
                           timing_problems = timed->diagnostics();
                   };
               });
}

// Newer times of the same work take the place of older ones.
void Session::State::add_measured(Timings timings) {
    if (measured)
        for (const TimingRecord& old : measured->report.timings)
            if (std::none_of(timings.report.timings.begin(), timings.report.timings.end(),
                             [&](const TimingRecord& each) { return same_work(each, old); }))
                timings.report.timings.push_back(old);
    measured = std::make_shared<Timings>(std::move(timings));
    prefer_recording = false;
}

std::shared_ptr<const Timings> Session::timings() const {
    return state_->measured && !state_->prefer_recording ? state_->measured : state_->recording;
}

const Diagnostics& Session::timing_problems() const {
    return state_->timing_problems;
}

bool Session::measuring() const {
    return state_->jobs.busy(measure_tag);
}

float Session::measure_progress() const {
    return state_->jobs.share(measure_tag);
}

GpuState Session::gpu_state() const {
    return state_->gpu;
}

const std::string& Session::no_gpu() const {
    return state_->no_gpu;
}

void Session::adopt(std::shared_ptr<const Timings> timings) {
    (timings->recorded ? state_->recording : state_->measured) = std::move(timings);
}

}  // namespace lanescope::session
