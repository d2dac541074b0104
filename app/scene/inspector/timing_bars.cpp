#include "scene/inspector/timing_bars.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/number_text.h"
#include "lesson/course/markdown_text.h"
#include "scene/inspector/counter_table.h"
#include "scene/words/gpu_time.h"

namespace lanescope::scene {

namespace {

using session::gb_per_s;
using session::time_words;

std::string rate_words(double rate) {
    if (rate >= 10) return grouped(static_cast<std::uint64_t>(std::llround(rate))) + " GB/s";
    char text[32];
    std::snprintf(text, sizeof text, rate >= 1 ? "%.1f GB/s" : "%.2g GB/s", rate);
    return text;
}

std::string share_words(double percent) {
    char text[32];
    std::snprintf(text, sizeof text,
                  percent >= 10  ? "%.0f %%"
                  : percent >= 1 ? "%.1f %%"
                                 : "%.2g %%",
                  percent);
    return text;
}

void set_rates(TimingBar& bar, std::uint64_t bytes, const gpu::Timing& timing, double copy_gb_per_s) {
    bar.rate = gb_per_s(bytes, timing.median_ms);
    bar.low = gb_per_s(bytes, timing.maximum_ms);
    bar.high = gb_per_s(bytes, timing.minimum_ms);
    bar.lower = gb_per_s(bytes, timing.upper_quartile_ms);
    bar.upper = gb_per_s(bytes, timing.lower_quartile_ms);
    bar.figures = time_words(timing.median_ms);
    if (bar.rate > 0) bar.figures += " · " + rate_words(bar.rate);
    if (bar.rate > 0 && copy_gb_per_s > 0) bar.figures += " · " + share_words(100 * bar.rate / copy_gb_per_s);
    bar.details = std::to_string(timing.runs) + " runs: " + time_words(timing.minimum_ms) + " to " +
                  time_words(timing.maximum_ms) + ", half of them from " +
                  time_words(timing.lower_quartile_ms) + " to " + time_words(timing.upper_quartile_ms);
    if (bytes > 0) bar.details += "\na run must read and write " + grouped(bytes) + " bytes";
}

// Lines of the file become one paragraph, which the view wraps.
std::string one_paragraph(std::string text) {
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

// What the GPU counted in one launch: "reduce: L1 hits 25 %, DRAM read 1.07 GB".
std::string counters_words(const session::LaunchCounters& launch) {
    struct Shown {
        const char *name, *words;
    };
    constexpr Shown all[] = {{"l1_hit_percent", "L1 hits"},
                             {"l2_hit_percent", "L2 hits"},
                             {"dram_read_bytes", "DRAM read"},
                             {"dram_write_bytes", "DRAM written"},
                             {"achieved_occupancy_percent", "achieved occupancy"}};
    std::string text;
    for (const Shown& shown : all)
        for (const session::CounterRow& row : launch.rows)
            if (row.name == shown.name)
                text += (text.empty() ? "" : ", ") + std::string(shown.words) + " " +
                        counter_words(row.name, row.measured);
    return launch.kernel + ": " + text;
}

// The counters of the first launches, or why there are none.
std::string counters_words(const session::TimingRecord& record) {
    constexpr std::size_t most_shown = 3;
    if (!record.counters)
        return record.counters_error.empty() ? "" : "\nno counters: " + record.counters_error;
    const std::vector<session::LaunchCounters>& launches = record.counters->launches;
    std::string text;
    for (std::size_t i = 0; i < std::min(most_shown, launches.size()); ++i)
        text += "\n" + counters_words(launches[i]);
    if (launches.size() > most_shown)
        text += "\nand " + std::to_string(launches.size() - most_shown) + " more";
    return text;
}

TimingBar bar_of(const session::TimingRecord& record, const lesson::LessonEntry& entry,
                 double copy_gb_per_s) {
    TimingBar bar;
    bar.title = entry.title;
    bar.file = entry.path;
    if (!record.timed()) {
        bar.wrong = true;
        bar.note = "not timed: " + record.error;
        return bar;
    }
    set_rates(bar, static_cast<std::uint64_t>(std::max<std::int64_t>(record.bytes, 0)), record.timing,
              copy_gb_per_s);
    if (const std::string words = settings_words(record.parameters); !words.empty())
        bar.details = words + "\n" + bar.details;
    for (const gpu::LaunchOccupancy& launch : record.occupancy)
        bar.details += "\n" + gpu::occupancy_text(launch);
    bar.details += counters_words(record);
    if (record.checked == session::TimingRecord::Checked::wrong) {
        bar.wrong = true;
        bar.note = "the result is wrong" + (record.mismatch.empty() ? "" : ": " + record.mismatch);
    } else if (!record.expected_problems.empty()) {
        bar.note = "the file shows a defect: its result may be wrong";
    } else if (bar.rate == 0) {
        bar.note = "the number of bytes is not known, so there is no bandwidth";
    }
    if (const std::string kernels = kernel_shares(record); !kernels.empty())
        bar.note += (bar.note.empty() ? "" : "; ") + ("time by kernel: " + kernels);
    return bar;
}

TimingBar bar_of(const session::PeerRecord& peer, double copy_gb_per_s) {
    TimingBar bar;
    bar.library = true;
    bar.title = peer.library + ", " + peer.name;
    set_rates(bar, peer.bytes, peer.timing, copy_gb_per_s);
    return bar;
}

TimingBar bar_of_launch(double empty_launch_ms) {
    TimingBar bar;
    bar.title = "An empty kernel: the launch alone";
    bar.figures = time_words(empty_launch_ms);
    bar.details = "every launch of a file adds about this to its time";
    return bar;
}

}  // namespace

std::vector<TimingBar> timing_bars(const session::SizeGroup& group, const lesson::Topic& topic,
                                   const lesson::LessonEntry* open, const session::TimedDevice& device) {
    const double copy_gb_per_s = device.copy_gb_per_s;
    std::vector<TimingBar> bars;
    const session::PeerRecord* own = nullptr;
    for (const session::TimingRecord* record : group.records) {
        const std::string name = std::filesystem::path(record->file).filename().string();
        for (const lesson::LessonEntry& entry : topic.lessons) {
            if (entry.path.filename() != name) continue;
            bars.push_back(bar_of(*record, entry, copy_gb_per_s));
            bars.back().open = &entry == open;
            if (&entry == open) bars.back().why = one_paragraph(lesson::plain_text(entry.timing));
            if (&entry == open && record->peer && record->peer->error.empty()) own = &*record->peer;
        }
    }
    std::vector<TimingBar> libraries;  // first, because the lessons are measured by them
    for (const session::PeerRecord* peer : session::peers_of(group))
        libraries.push_back(bar_of(own && own->name == peer->name ? *own : *peer, copy_gb_per_s));
    bars.insert(bars.begin(), libraries.begin(), libraries.end());
    if (device.empty_launch_ms > 0) bars.insert(bars.begin(), bar_of_launch(device.empty_launch_ms));
    return bars;
}

}  // namespace lanescope::scene
