// The table that `lanescope time` prints.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "base/text.h"
#include "session/timing/timing_record.h"

namespace lanescope::session {

namespace {

// Three significant digits in a unit that fits: "12.3 us".
std::string time_text(double ms) {
    const char* unit = ms >= 1000 ? "s" : ms >= 1 ? "ms" : "us";
    const double value = ms >= 1000 ? ms / 1000 : ms >= 1 ? ms : ms * 1000;
    char text[32];
    std::snprintf(text, sizeof text,
                  value >= 100  ? "%.0f %s"
                  : value >= 10 ? "%.1f %s"
                                : "%.2f %s",
                  value, unit);
    return text;
}

std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    return value > 0 ? text : "-";
}

std::string verdict(const TimingRecord& record) {
    if (record.checked == TimingRecord::Checked::ok) return "ok";
    if (record.checked == TimingRecord::Checked::none) return "not checked";
    return record.expected_problems.empty() ? "WRONG" : "wrong, as declared";
}

using Cells = std::vector<std::string>;

Cells cells_of(const TimingRecord& record) {
    const std::string parameters = parameters_text(record);
    Cells cells{record.file, parameters.empty() ? "" : parameters.substr(1)};
    if (!record.timed()) {
        cells.push_back("no time: " + record.error);
        return cells;
    }
    const gpu::Timing& t = record.timing;
    cells.push_back(time_text(t.median_ms));
    cells.push_back(time_text(t.lower_quartile_ms) + " - " + time_text(t.upper_quartile_ms));
    cells.push_back(time_text(t.minimum_ms));
    cells.push_back(std::to_string(t.runs));
    cells.push_back(number_text(record.gb_per_s()));
    cells.push_back(record.percent_of_copy() > 0 ? number_text(record.percent_of_copy()) + " %" : "-");
    cells.push_back(verdict(record));
    if (!record.peer)
        cells.emplace_back();
    else if (!record.peer->error.empty())
        cells.push_back(record.peer->name + ": " + record.peer->error);
    else
        cells.push_back(time_text(record.peer->timing.median_ms) + " " + record.peer->name + ", " +
                        record.peer->library);
    return cells;
}

std::string heading(const TimingReport& report, bool recorded) {
    const TimedDevice& d = report.device;
    std::ostringstream out;
    if (recorded) out << "RECORDED times, not from this machine. Taken on:\n";
    if (d.name.empty()) {
        out << "nothing could be timed, toolkit " << d.toolkit << ", " << report.date << '\n';
        return out.str();
    }
    out << d.name << " (compute capability " << d.compute_capability << ", " << d.multiprocessors
        << " multiprocessors, " << (d.l2_bytes >> 20) << " MiB L2), " << d.driver << ", toolkit " << d.toolkit
        << ", " << report.date << '\n';
    if (d.sm_mhz)
        out << "clocks: SM " << d.sm_mhz << " MHz of " << d.max_sm_mhz << ", memory " << d.memory_mhz
            << " MHz of " << d.max_memory_mhz << '\n';
    else if (d.max_sm_mhz)
        out << "clocks: SM at most " << d.max_sm_mhz << " MHz, memory " << d.max_memory_mhz << " MHz\n";
    out << "copy within the device, the ceiling: " << number_text(d.copy_gb_per_s)
        << " GB/s. Times are those of all launches of a file and include launching them";
    if (d.empty_launch_ms > 0) out << "; a kernel that does nothing takes " << time_text(d.empty_launch_ms);
    out << ".\n";
    return out.str();
}

// A line for each kernel and block of each file; sizes with equal ones share it.
std::string occupancy_lines(const TimingReport& report) {
    std::vector<std::string> lines;
    for (const TimingRecord& record : report.timings)
        for (const gpu::LaunchOccupancy& launch : record.occupancy) {
            std::string line = record.file + ": " + gpu::occupancy_text(launch) + '\n';
            if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
        }
    std::string text;
    for (const std::string& line : lines)
        text += line;
    return text.empty() ? text : "occupancy:\n" + text;
}

}  // namespace

std::string parameters_text(const TimingRecord& record) {
    std::string text;
    for (const auto& [name, value] : record.parameters) {
        const bool power = value >= 65536 && (value & (value - 1)) == 0;
        text += " " + name + "=" +
                (power ? "2^" + std::to_string(std::lround(std::log2(static_cast<double>(value))))
                       : std::to_string(value));
    }
    return text;
}

std::string table_of(const TimingReport& report, bool recorded) {
    std::vector<Cells> rows{{"file", "parameters", "median", "quartiles", "least", "runs", "GB/s", "of copy",
                             "result", "library"}};
    for (const TimingRecord& record : report.timings)
        rows.push_back(cells_of(record));
    std::vector<std::size_t> widths(rows[0].size());
    for (const Cells& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            // The last cell of a row may be of any width.
            if (i + 1 < row.size()) widths[i] = std::max(widths[i], character_count(row[i]));
    std::string out = heading(report, recorded);
    for (const Cells& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
            line += padded_right(row[i], widths[i] + 2);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    out += occupancy_lines(report);
    for (const TimingRecord& record : report.timings) {
        if (!record.mismatch.empty()) out += record.file + ": " + record.mismatch + '\n';
        for (const std::string& note : record.notes)
            out += record.file + ": " + note + '\n';
    }
    return out;
}

}  // namespace lanescope::session
