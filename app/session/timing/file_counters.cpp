#include "session/timing/file_counters.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "session/timing/time_files.h"

namespace lanescope::session {

namespace {

bool has_counts(const TimingRecord& record) {
    return std::any_of(record.counters->launches.begin(), record.counters->launches.end(),
                       [](const LaunchCounters& launch) {
                           return std::any_of(launch.rows.begin(), launch.rows.end(),
                                              [](const CounterRow& row) { return row.counted.has_value(); });
                       });
}

std::string why_absent(const TimingRecord* other) {
    if (!other) return "none are recorded for this file";
    if (other->counters) return "this text differs from the one that was measured";
    return other->counters_error.empty() ? "none were measured for this file"
                                         : "none were measured for this file: " + other->counters_error;
}

}  // namespace

FileCounters counters_of_text(const std::vector<std::shared_ptr<const Timings>>& sources,
                              const std::string& text, const std::string& file,
                              const lesson::ParameterValues& parameters) {
    FileCounters best;
    const std::string hash = content_hash(text), name = recorded_name(file);
    const TimingRecord* other = nullptr;  // of this file, but not of this text
    int rank = -1;
    for (const std::shared_ptr<const Timings>& timings : sources) {
        if (!timings) continue;
        for (const TimingRecord& record : timings->report.timings) {
            if (record.counters && record.text_hash == hash) {
                const bool same = record.parameters == parameters;
                const int rank_here = 2 * int(same) + int(has_counts(record));
                if (rank_here <= rank) continue;
                rank = rank_here;
                best = {timings, &record, same, {}};
            } else if (record.file == name && (!other || record.counters)) {
                other = &record;
            }
        }
    }
    if (!best.record) best.absent = why_absent(other);
    return best;
}

nlohmann::ordered_json to_json(const FileCounters& found) {
    if (!found.record) return {{"missing", found.absent}};
    nlohmann::ordered_json out{{"recorded", found.timings->recorded},
                               {"device", found.timings->report.device.name},
                               {"driver", found.timings->report.device.driver},
                               {"date", found.timings->report.date},
                               {"code", "optimized"}};
    out["parameters"] = nlohmann::ordered_json::object();
    for (const auto& [name, value] : found.record->parameters)
        out["parameters"][name] = value;
    out["text_hash"] = found.record->text_hash;
    out.update(to_json(*found.record->counters));
    return out;
}

}  // namespace lanescope::session
