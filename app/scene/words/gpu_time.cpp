#include "scene/words/gpu_time.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/files.h"
#include "base/number_text.h"
#include "gpu/sampled/stall_reasons.h"

namespace lanescope::scene {

namespace {

constexpr double least_shown = 0.005;
constexpr std::size_t shown_reasons = 6;

// Files of the course are recorded under a name that is relative to the course.
bool is_of(const session::TimingRecord& record, const session::Session& session) {
    const std::filesystem::path file(record.file), path = session.document().path();
    if (file == path) return true;
    return session.lesson() && session.topic() && file.filename() == path.filename() &&
           file.parent_path().filename() == session.topic()->name;
}

// Returns the record with lines of this text, or else in `other` one that has none of this text.
const session::TimingRecord* find(const session::Timings& timings, const session::Session& session,
                                  const std::string& hash, const session::TimingRecord*& other) {
    for (const session::TimingRecord& record : timings.report.timings) {
        if (!is_of(record, session)) continue;
        if (record.lines && record.text_hash == hash) return &record;
        if (!other || record.lines) other = &record;
    }
    return nullptr;
}

std::string why_absent(const session::TimingRecord* other, const session::FileClock& clock) {
    if (clock.busy()) return "an estimate is being made …";
    const auto reading = clock.reading();
    if (reading && !reading->estimate.refused.empty()) return reading->estimate.refused;
    if (!clock.problem().empty()) return clock.problem();
    if (!other) return "none is recorded for this file; B measures on a GPU";
    if (other->lines) return "this text differs from the one that was measured";
    return other->lines_error.empty() ? "its lines were not sampled"
                                      : "its lines were not sampled: " + other->lines_error;
}

const session::LineTime* line_of(const GpuTime& time, std::uint32_t line) {
    const session::LineTimes* lines = time.lines();
    return lines ? lines->at(static_cast<int>(line)) : nullptr;
}

// "CUDA 13.0, driver 580.159.04" has the toolkit's version first.
std::string driver_words(const std::string& driver) {
    const std::size_t at = driver.find("driver ");
    return at == std::string::npos ? driver : driver.substr(at);
}

}  // namespace

GpuTime gpu_time(const session::Session& session) {
    GpuTime time;
    const session::TimingRecord* other = nullptr;
    const std::string hash = content_hash(session.document().text());
    for (const auto& timings : {session.timings().shown(), session.timings().recording()}) {
        if (!timings || time.record) continue;
        time.record = find(*timings, session, hash, other);
        time.timings = timings;
    }
    const session::FileClock& clock = session.clock();
    if (const auto reading = clock.reading(); reading && reading->estimate.refused.empty()) {
        time.reading = reading;
        time.estimate = std::make_shared<const session::LineTimes>(session::line_times(*reading));
    }
    if (!time.lines()) time.absent = why_absent(other, clock);
    return time;
}

const session::LineTimes* GpuTime::lines() const {
    return record ? &*record->lines : estimate.get();
}

const GpuTime& GpuTimeOfFile::of(const session::Session& session) {
    const session::LessonTimings& all = session.timings();
    const std::string path = session.document().path().string();
    const auto reading = session.clock().reading();
    if (known_ && timings_ == all.shown() && recording_ == all.recording() && reading_ == reading &&
        estimating_ == session.clock().busy() && path_ == path && text_ == session.document().text())
        return shown_;
    known_ = true;
    timings_ = all.shown();
    recording_ = all.recording();
    reading_ = reading;
    estimating_ = session.clock().busy();
    path_ = path;
    text_ = session.document().text();
    shown_ = gpu_time(session);
    return shown_;
}

std::string gpu_words(const GpuTime& time) {
    if (time.estimated()) return "an " + time.reading->device + ", estimated";
    const session::TimingReport& report = time.timings->report;
    const std::string gpu = report.device.name + ", " + driver_words(report.device.driver);
    return time.timings->recorded ? gpu + ", " + report.date.substr(0, report.date.find('T'))
                                  : "this machine's " + gpu;
}

std::string settings_words(const GpuTime& time) {
    return settings_words(time.record ? time.record->parameters : time.reading->parameters);
}

std::string settings_words(const lesson::ParameterValues& parameters) {
    std::string words;
    for (const auto& [name, value] : parameters)
        words += (words.empty() ? "" : ", ") + name + " = " +
                 grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)));
    return words;
}

std::string gpu_time_text(const GpuTime& time) {
    if (!time.lines()) return "Time on a GPU is not shown: " + time.absent + ".";
    std::string text = "Time of all warps on " + gpu_words(time);
    const std::string settings = settings_words(time);
    if (time.estimated())
        return text + (settings.empty() ? "" : "\nwith " + settings) +
               "\nnot measured: it follows from the CPU machine's trace of optimised code";
    if (!settings.empty()) text += "\nmeasured with " + settings;
    text += "\n" + grouped(time.record->lines->samples) +
            " samples of optimised code without any added instructions";
    double own = 0;
    for (const session::LineTime& line : time.record->lines->lines)
        if (line.file.empty() && line.line > 0) own += line.share;
    if (1 - own >= least_shown) text += "\n" + percent_words(1 - own) + " belong to no line of this file";
    if (const std::string kernels = kernel_shares(*time.record); !kernels.empty())
        text += "\nkernels: " + kernels;
    return text;
}

double time_share(const GpuTime& time, std::uint32_t line) {
    const session::LineTime* found = line_of(time, line);
    return found ? found->share : 0;
}

double time_bar(const GpuTime& time, std::uint32_t line) {
    if (!time.lines()) return 0;
    double most = 0;
    for (const session::LineTime& each : time.lines()->lines)
        if (each.file.empty() && each.line > 0) most = std::max(most, each.share);
    return most > 0 ? time_share(time, line) / most : 0;
}

std::string percent_words(double share) {
    const double percent = 100 * share;
    if (percent < 0.05) return "<0.1 %";
    char text[16];
    std::snprintf(text, sizeof text, percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
    return text;
}

std::string share_words(const GpuTime& time, double share) {
    if (!time.estimated()) return percent_words(share);
    char text[24];
    std::snprintf(text, sizeof text, 100 * share < 0.95 ? "< 1 %%" : "≈ %.0f %%", 100 * share);
    return text;
}

std::vector<StallWords> stalls_on_line(const GpuTime& time, std::uint32_t line) {
    std::vector<StallWords> all;
    const session::LineTime* found = line_of(time, line);
    if (!found || found->share <= 0) return all;
    for (const auto& [name, share] : found->stalls)
        if (share / found->share >= least_shown)
            all.push_back({std::string(gpu::stall_words(name)), share / found->share});
    std::stable_sort(all.begin(), all.end(),
                     [](const StallWords& a, const StallWords& b) { return a.share > b.share; });
    return all;
}

std::string line_time_text(const GpuTime& time, std::uint32_t line) {
    const double share = time_share(time, line);
    if (share <= 0) return {};
    std::string text = share_words(time, share) + " of the time on " + gpu_words(time);
    if (const std::string settings = settings_words(time); !settings.empty()) text += "\nwith " + settings;
    text += "\na warp on this line:";
    const std::vector<StallWords> stalls = stalls_on_line(time, line);
    for (std::size_t i = 0; i < std::min(stalls.size(), shown_reasons); ++i)
        text += "\n  " + share_words(time, stalls[i].share) + "  " + stalls[i].words;
    if (time.record && time.estimate) {
        GpuTime other;
        other.reading = time.reading;
        other.estimate = time.estimate;
        text +=
            "\nestimated with " + settings_words(other) + ": " + share_words(other, time_share(other, line));
        if (const auto reasons = stalls_on_line(other, line); !reasons.empty())
            text += ", most of it: " + reasons.front().words;
    }
    return text;
}

std::string kernel_shares(const session::TimingRecord& record) {
    if (!record.lines || record.lines->kernels.size() < 2) return {};
    std::vector<std::pair<double, std::string>> kernels;
    for (const auto& [name, share] : record.lines->kernels)
        kernels.emplace_back(share, name);
    std::sort(kernels.rbegin(), kernels.rend());
    std::string words;
    for (const auto& [share, name] : kernels)
        words += (words.empty() ? "" : ", ") + name + " " + percent_words(share);
    return words;
}

}  // namespace lanescope::scene
