#include "scene/words/run_time.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "base/language.h"

namespace lanescope::scene {

namespace {

// "an H200", "a B200": the name begins with a letter that is spelled. Other languages name it alone.
std::string with_article(const std::string& name) {
    constexpr std::string_view begin_with_vowels = "AEFHILMNORSX";
    if (language() != "en") return name;
    const bool vowel = !name.empty() && begin_with_vowels.find(name.front()) != std::string_view::npos;
    return (vowel ? "an " : "a ") + name;
}

std::string model_of(const std::string& device) {
    constexpr std::string_view maker = "NVIDIA ";
    return device.starts_with(maker) ? device.substr(maker.size()) : device;
}

std::string spread(const session::TimingRecord& record) {
    const gpu::Timing& timing = record.timing;
    std::string text = tr("median of {1} runs, half of them between {2} and {3}",
                          {std::to_string(timing.runs), short_time(1000 * timing.lower_quartile_ms),
                           short_time(1000 * timing.upper_quartile_ms)});
    if (record.peer && record.peer->error.empty() && record.peer->name != "copy")
        text += "; " +
                tr("{1} takes {2}", {record.peer->library, short_time(1000 * record.peer->timing.median_ms)});
    return text;
}

void show(RunTime& time, const session::Timings& timings, const session::TimingRecord& record) {
    time.kind = timings.recorded ? TimeKind::recorded : TimeKind::measured;
    time.text = timings.report.device.name + " · " + short_time(1000 * record.timing.median_ms);
    if (timings.recorded) time.text += " " + std::string(tr("recorded"));
    time.hint = spread(record) + "\n" + timings.origin();
    if (record.checked == session::TimingRecord::Checked::wrong && record.expected_problems.empty())
        time.hint += "\n" + tr("its result on the GPU is wrong: {1}", {record.mismatch});
}

void show(RunTime& time, const session::ClockReading& reading) {
    time.kind = TimeKind::estimated;
    time.text = tr("≈ {1} on {2}", {session::estimated_time(reading.estimate.microseconds),
                                    with_article(model_of(reading.device))});
    time.hint = tr("Estimated, not measured: from the CPU machine's trace");
}

// What is known of the run that is shown, else of the one before it.
void show_best(RunTime& time, const session::Session& session) {
    const session::FileTimes& own = session.file_times();
    const session::MeasuredTime known = session::measured_time_of(session);
    if (known.record && !known.timings->recorded) return show(time, *known.timings, *known.record);
    if (own.busy() && own.latest()) return show(time, *own.latest(), own.latest()->report.timings.front());
    if (known.record) return show(time, *known.timings, *known.record);
    const session::FileClock& clock = session.clock();
    const auto reading = clock.latest();
    if (reading && reading->estimate.refused.empty()) show(time, *reading);
    time.pending = clock.busy();
}

}  // namespace

RunTime run_time(const session::Session& session) {
    RunTime time;
    if (session.run() == nullptr) return time;
    show_best(time, session);
    const session::FileTimes& own = session.file_times();
    if (own.busy()) {
        time.pending = true;
        time.hint += (time.hint.empty() ? "" : "\n") + std::string(tr("the newest run is being timed"));
    } else if (!own.problem().empty() && own.on() && session.timings().gpu() == session::GpuState::usable) {
        time.hint += (time.hint.empty() ? "" : "\n") + tr("not timed here: {1}", {own.problem()});
    }
    if (time.pending && time.text.empty()) time.text = "…";
    return time;
}

std::string short_time(double microseconds) {
    const bool in_ms = microseconds >= 999.5, in_s = microseconds >= 999'500;
    const double value = in_s ? microseconds / 1e6 : in_ms ? microseconds / 1e3 : microseconds;
    char text[32];
    std::snprintf(text, sizeof text, value < 9.95 ? "%.1f" : "%.0f", value);
    return text + std::string(in_s ? " s" : in_ms ? " ms" : " µs");
}

}  // namespace lanescope::scene
