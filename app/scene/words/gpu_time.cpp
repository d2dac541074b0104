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

std::string why_absent(const session::TimingRecord* other) {
    if (!other) return "none is recorded for this file; B measures on a GPU";
    if (other->lines) return "this text differs from the one that was measured";
    return other->lines_error.empty() ? "its lines were not sampled"
                                      : "its lines were not sampled: " + other->lines_error;
}

const session::LineTime* line_of(const GpuTime& time, std::uint32_t line) {
    return time.record ? time.record->lines->at(static_cast<int>(line)) : nullptr;
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
    if (!time.record) time.absent = why_absent(other);
    return time;
}

const GpuTime& GpuTimeOfFile::of(const session::Session& session) {
    const session::LessonTimings& all = session.timings();
    const std::string path = session.document().path().string();
    if (known_ && timings_ == all.shown() && recording_ == all.recording() && path_ == path &&
        text_ == session.document().text())
        return shown_;
    known_ = true;
    timings_ = all.shown();
    recording_ = all.recording();
    path_ = path;
    text_ = session.document().text();
    shown_ = gpu_time(session);
    return shown_;
}

std::string gpu_words(const GpuTime& time) {
    const session::TimingReport& report = time.timings->report;
    const std::string gpu = report.device.name + ", " + driver_words(report.device.driver);
    return time.timings->recorded ? gpu + ", " + report.date.substr(0, report.date.find('T'))
                                  : "this machine's " + gpu;
}

std::string settings_words(const session::TimingRecord& record) {
    std::string words;
    for (const auto& [name, value] : record.parameters)
        words += (words.empty() ? "" : ", ") + name + " = " +
                 grouped(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)));
    return words;
}

std::string gpu_time_text(const GpuTime& time) {
    if (!time.record) return "Time on a GPU is not shown: " + time.absent + ".";
    std::string text = "Time of all warps on " + gpu_words(time);
    if (const std::string settings = settings_words(*time.record); !settings.empty())
        text += "\nmeasured with " + settings;
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
    if (!time.record) return 0;
    double most = 0;
    for (const session::LineTime& each : time.record->lines->lines)
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
    std::string text = percent_words(share) + " of the time on " + gpu_words(time);
    if (const std::string settings = settings_words(*time.record); !settings.empty())
        text += "\nwith " + settings;
    text += "\na warp on this line:";
    const std::vector<StallWords> stalls = stalls_on_line(time, line);
    for (std::size_t i = 0; i < std::min(stalls.size(), shown_reasons); ++i)
        text += "\n  " + percent_words(stalls[i].share) + "  " + stalls[i].words;
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
