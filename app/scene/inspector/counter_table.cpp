#include "scene/inspector/counter_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/number_text.h"
#include "scene/words/gpu_time.h"

namespace lanescope::scene {

namespace {

using session::CounterRow;

struct NamedCounter {
    const char *name, *words;
};
// In this order; counters that are not named here follow.
constexpr NamedCounter first_shown[] = {{"warp_instructions", "warp instructions"},
                                        {"global_load_sectors", "global load sectors"},
                                        {"global_store_sectors", "global store sectors"},
                                        {"global_atomic_sectors", "global atomic sectors"},
                                        {"shared_load_wavefronts", "shared load wavefronts"},
                                        {"shared_store_wavefronts", "shared store wavefronts"},
                                        {"divergent_branches", "divergent branches"},
                                        {"l1_hit_percent", "L1 hits"},
                                        {"l2_hit_percent", "L2 hits"},
                                        {"dram_read_bytes", "read from DRAM"},
                                        {"dram_write_bytes", "written to DRAM"},
                                        {"achieved_occupancy_percent", "achieved occupancy"},
                                        {"gpu_ns", "time while counted"}};

std::size_t place_of(const std::string& name) {
    const auto found = std::find_if(std::begin(first_shown), std::end(first_shown),
                                    [&](const NamedCounter& each) { return name == each.name; });
    return static_cast<std::size_t>(found - std::begin(first_shown));
}

std::string words_of(const std::string& name) {
    if (const std::size_t place = place_of(name); place < std::size(first_shown))
        return first_shown[place].words;
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string traffic_words(double bytes) {
    constexpr double kilo = 1e3, mega = 1e6, giga = 1e9;
    char text[32];
    if (bytes >= giga)
        std::snprintf(text, sizeof text, "%.2f GB", bytes / giga);
    else if (bytes >= mega)
        std::snprintf(text, sizeof text, "%.1f MB", bytes / mega);
    else
        std::snprintf(text, sizeof text, "%.1f kB", bytes / kilo);
    return text;
}

std::string percents(double percent) {
    char text[32];
    std::snprintf(text, sizeof text,
                  percent >= 10                  ? "%.0f %%"
                  : percent >= 1 || percent == 0 ? "%.1f %%"
                                                 : "%.2g %%",
                  percent);
    return text;
}

// Counters that both sides have as zero say nothing.
bool says_something(const CounterRow& row) {
    const bool figure = !row.counted && place_of(row.name) < std::size(first_shown);
    return figure || row.measured != 0 || row.counted.value_or(0) != 0;
}

CounterLine line_of(const CounterRow& row) {
    CounterLine line{words_of(row.name), "–", counter_words(row.name, row.measured), row.remark, row.flagged};
    if (row.counted) line.counted = counter_words(row.name, *row.counted);
    if (line.remark.empty() && row.counted && *row.counted != row.measured)
        line.remark = "within 2 %: the GPU's number varies from run to run";
    return line;
}

std::string summary_of(const std::vector<CounterLine>& lines) {
    std::size_t equal = 0, explained = 0, flagged = 0;
    for (const CounterLine& line : lines) {
        if (line.counted == "–") continue;
        ++(line.flagged ? flagged : line.remark.empty() ? equal : explained);
    }
    if (equal + explained + flagged == 0) return {};
    std::string text = std::to_string(equal) + " equal";
    if (explained > 0) text += ", " + std::to_string(explained) + " explained";
    if (flagged > 0) text += ", " + std::to_string(flagged) + " not explained";
    return text;
}

}  // namespace

session::FileCounters counters_of_run(const session::Session& session) {
    const execution::RunResult* run = session.run();
    if (!run) return {nullptr, nullptr, false, "nothing has run"};
    const session::LessonTimings& all = session.timings();
    const lesson::ParameterValues parameters(run->instance.parameters.begin(),
                                             run->instance.parameters.end());
    return session::counters_of_text({all.measured(), all.recorded_counters()}, run->source,
                                     session.document().path().string(), parameters);
}

CounterTable counter_table(const session::FileCounters& found, std::uint32_t launch) {
    CounterTable table;
    if (!found.record) {
        table.absent = "No counters of a GPU: " + found.absent + ".";
        return table;
    }
    const session::CounterComparison& counters = *found.record->counters;
    table.origin = "Optimised code on " + gpu_words({found.timings, found.record, {}, {}, {}});
    const std::string& date = found.timings->report.date;
    if (!found.timings->recorded) table.origin += ", " + date.substr(0, date.find('T'));
    if (!found.same_parameters)
        table.differs =
            "Measured with " + settings_words(found.record->parameters) + ", not with this run's parameters.";
    if (launch >= counters.launches.size()) {
        table.absent = "The GPU's counters have only " + std::to_string(counters.launches.size()) +
                       (counters.launches.size() == 1 ? " launch" : " launches") +
                       ": kernels that a kernel launches are not counted on their own.";
        return table;
    }
    if (counters.launches.size() > 1)
        table.launch = "launch " + std::to_string(launch + 1) + " of " +
                       std::to_string(counters.launches.size()) + ": " + counters.launches[launch].kernel;
    std::vector<CounterRow> rows = counters.launches[launch].rows;
    std::erase_if(rows, [](const CounterRow& row) { return !says_something(row); });
    std::stable_sort(rows.begin(), rows.end(), [](const CounterRow& a, const CounterRow& b) {
        return place_of(a.name) < place_of(b.name);
    });
    for (const CounterRow& row : rows)
        table.lines.push_back(line_of(row));
    table.summary = summary_of(table.lines);
    if (table.summary.empty())
        table.uncounted = counters.counted_error.empty()
                              ? "Only measured: the CPU machine did not count this input."
                              : "Only measured: " + counters.counted_error + ".";
    return table;
}

std::string counter_words(const std::string& name, double value) {
    if (name.ends_with("_percent")) return percents(value);
    if (name.ends_with("_bytes")) return traffic_words(value);
    if (name.ends_with("_ns")) return session::time_words(value / 1e6);
    return grouped(static_cast<std::uint64_t>(std::llround(value)));
}

}  // namespace lanescope::scene
