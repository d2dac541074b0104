#include "session/timing/lesson_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/files.h"
#include "base/number_text.h"

namespace lanescope::session {
namespace {

using Json = nlohmann::json;

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
    return text;
}

std::string ratio(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

// Adds "1.0 sectors per load instead of 32.0"; the other number only if it differs as printed.
void add(std::vector<std::string>& parts, const std::string& what, const std::string& own,
         const std::string& other) {
    parts.push_back(own + what + (other.empty() || other == own ? "" : " instead of " + other));
}

std::string per(std::uint64_t count, std::uint64_t requests) {
    return requests == 0 ? "" : ratio(double(count) / double(requests));
}

std::vector<std::string> counted(const LessonCounts& own, const LessonCounts* other) {
    static const LessonCounts nothing;
    const LessonCounts& baseline = other ? *other : nothing;
    std::vector<std::string> parts;
    add(parts, " SIMT efficiency", percent(own.simt_efficiency),
        other ? percent(baseline.simt_efficiency) : "");
    const auto add_ratio = [&](const char* what, std::uint64_t LessonCounts::*count,
                               std::uint64_t LessonCounts::*requests) {
        if (own.*requests != 0)
            add(parts, what, per(own.*count, own.*requests), per(baseline.*count, baseline.*requests));
    };
    add_ratio(" sectors per load from global memory", &LessonCounts::global_load_sectors,
              &LessonCounts::global_load_requests);
    add_ratio(" sectors per store", &LessonCounts::global_store_sectors,
              &LessonCounts::global_store_requests);
    add_ratio(" wavefronts per access to shared memory", &LessonCounts::shared_wavefronts,
              &LessonCounts::shared_requests);
    return parts;
}

const TimingRecord* record_of(const SizeGroup& group, const lesson::LessonEntry& entry,
                              const lesson::Topic& topic) {
    const std::string file = "kernels/" + topic.name + "/" + entry.path.filename().string();
    for (const TimingRecord* each : group.records)
        if (each->file == file && each->timed()) return each;
    return nullptr;
}

// Times are compared only where both runs must move the same bytes, so that the ratio says something about
// the kernels.
bool moves_the_same(const TimingRecord& a, const TimingRecord& b) {
    constexpr double tolerance = 0.05;
    const auto most = static_cast<double>(std::max(a.bytes, b.bytes));
    return std::abs(static_cast<double>(a.bytes) - static_cast<double>(b.bytes)) <= tolerance * most;
}

// The times at the largest size that both have, else those of the entry alone.
std::string timed(const lesson::Topic& topic, const lesson::LessonEntry& entry,
                  const lesson::LessonEntry* before, const Timings& timings) {
    const std::vector<SizeGroup> sizes = sizes_of(timings, topic);
    for (const bool alone : {false, true})
        for (auto group = sizes.rbegin(); group != sizes.rend(); ++group) {
            const TimingRecord* own = record_of(*group, entry, topic);
            const TimingRecord* other = before && !alone ? record_of(*group, *before, topic) : nullptr;
            if (!own || (!other && !alone)) continue;
            std::string text = "On " + timings.report.device.name + " ";
            if (group->elements != 0)  // else the lesson has no input
                text += "with " + size_words(group->elements) +
                        (group->elements == 1 ? " element " : " elements ");
            text += time_words(own->timing.median_ms);
            if (other && (own->bytes == 0) != (other->bytes == 0)) {
                text += "; \"" + before->title + "\" took " + time_words(other->timing.median_ms);
            } else if (other && !moves_the_same(*own, *other)) {
                text += "; \"" + before->title + "\" moves " +
                        grouped(static_cast<std::uint64_t>(other->bytes)) + " bytes there and this lesson " +
                        grouped(static_cast<std::uint64_t>(own->bytes)) + ", so their times are not compared";
            } else if (other) {
                const double times = other->timing.median_ms / own->timing.median_ms;
                text += " instead of " + time_words(other->timing.median_ms) +
                        (times >= 1.05   ? ": " + ratio(times) + " times as fast"
                         : times <= 0.95 ? ": " + ratio(1 / times) + " times as long"
                                         : ", about equal");
            }
            if (own->percent_of_copy() > 0)
                text += "; " + percent(own->percent_of_copy() / 100) + " of a copy's bandwidth";
            return text + ".";
        }
    return "";
}

}  // namespace

namespace {

// False: a metric is missing or is not a number.
bool read_metrics(const Json& metrics, LessonCounts& counts) {
    bool complete =
        metrics.is_object() && metrics.contains("simt_efficiency") && metrics["simt_efficiency"].is_number();
    const auto number = [&](const char* key) -> std::uint64_t {
        complete = complete && metrics.contains(key) && metrics[key].is_number_unsigned();
        return complete ? metrics[key].get<std::uint64_t>() : 0;
    };
    if (!complete) return false;
    counts.simt_efficiency = metrics["simt_efficiency"].get<double>();
    counts.global_load_requests = number("global_load_requests");
    counts.global_load_sectors = number("global_load_sectors");
    counts.global_store_requests = number("global_store_requests");
    counts.global_store_sectors = number("global_store_sectors");
    counts.shared_requests = number("shared_load_requests") + number("shared_store_requests");
    counts.shared_wavefronts = number("shared_load_wavefronts") + number("shared_store_wavefronts");
    return complete;
}

}  // namespace

Result<CourseCounts> read_counts(const std::filesystem::path& file) {
    const Result<std::string> text = read_text_file(file);
    if (!text) return text.diagnostics();
    const Json document = Json::parse(*text, nullptr, false);
    if (!document.is_object() || !document.contains("lessons") || !document["lessons"].is_object())
        return error_at(file.string(), 1, 0, "the file must be an object with 'lessons'",
                        "write it with tests/timings/counts.py");
    CourseCounts counts;
    for (const auto& [name, lesson] : document["lessons"].items()) {
        CountedLesson& each = counts[name];
        bool known =
            lesson.is_object() && lesson.contains("metrics") && read_metrics(lesson["metrics"], each.own);
        if (known && lesson.contains("before")) {
            const Json& before = lesson["before"];
            known = before.is_object() && before.contains("lesson") && before["lesson"].is_string() &&
                    before.contains("metrics") && read_metrics(before["metrics"], each.baseline);
            if (known) each.before = before["lesson"].get<std::string>();
        }
        if (known && lesson.contains("look_step")) {
            known = lesson["look_step"].is_number_integer();
            if (known) each.look_step = lesson["look_step"].get<int>();
        }
        if (!known)
            return error_at(file.string(), 1, 0, "the counts of '" + name + "' are not complete",
                            "write them with tests/timings/counts.py");
    }
    return counts;
}

std::string lesson_comparison_text(const lesson::Topic& topic, const lesson::LessonEntry& entry,
                                   const CourseCounts& counts, const Timings* timings) {
    const auto before =
        std::find_if(topic.lessons.begin(), topic.lessons.end(),
                     [&](const lesson::LessonEntry& each) { return each.name == entry.after; });
    const lesson::LessonEntry* other = before == topic.lessons.end() ? nullptr : &*before;
    std::string text;
    if (const auto found = counts.find(topic.name + "/" + entry.name); found != counts.end()) {
        const bool compared = other && found->second.before == topic.name + "/" + other->name;
        for (const std::string& part :
             counted(found->second.own, compared ? &found->second.baseline : nullptr))
            text += (text.empty() ? "" : ", ") + part;
        text += ".";
    }
    const std::string times = timings ? timed(topic, entry, other, *timings) : "";
    if (!times.empty()) text += (text.empty() ? "" : " ") + times;
    if (text.empty()) return text;
    const std::string beside =
        other ? ", beside [" + other->title + "](" + topic.name + "/" + other->name + ")" : "";
    return "**Measured**" + beside + ": " + text;
}

}  // namespace lanescope::session
