#include "session/timing/line_times.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "gpu/sampled/stall_reasons.h"
#include "simt/inspect/names.h"

namespace lanescope::session {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

double rounded(double share) {
    return std::round(share * 1e4) / 1e4;
}

OrderedJson shares(const std::map<std::string, double>& by_name) {
    OrderedJson out = OrderedJson::object();
    for (const auto& [name, share] : by_name)
        if (rounded(share) > 0) out[name] = rounded(share);
    return out;
}

bool read_shares(const Json& json, std::map<std::string, double>& into) {
    if (!json.is_object()) return false;
    for (const auto& [name, share] : json.items()) {
        if (!share.is_number()) return false;
        into[name] = share.get<double>();
    }
    return true;
}

std::string share_text(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%5.1f %%", 100 * share);
    return text;
}

// "waits for global or local memory 61 %, is ready, but another warp issues 12 %"
std::string main_reasons(const LineTime& line) {
    std::vector<std::pair<double, std::string>> ordered;
    for (const auto& [name, share] : line.stalls)
        ordered.emplace_back(share, name);
    std::sort(ordered.rbegin(), ordered.rend());
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(ordered.size(), 2); ++i)
        text += (i ? "; " : "") + std::string(gpu::stall_words(ordered[i].second)) + " " +
                std::to_string(std::lround(100 * ordered[i].first / line.share)) + " %";
    return text;
}

std::vector<std::string> lines_of(const std::string& source) {
    std::vector<std::string> lines;
    std::istringstream text(source);
    for (std::string line; std::getline(text, line);) {
        const std::size_t first = line.find_first_not_of(" \t");
        lines.push_back(first == std::string::npos ? "" : line.substr(first));
    }
    return lines;
}

}  // namespace

const LineTime* LineTimes::at(int line) const {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const LineTime& each) {
        return each.line == line && each.file.empty();
    });
    return found == lines.end() ? nullptr : &*found;
}

std::map<std::string, double> LineTimes::stalls() const {
    std::map<std::string, double> all;
    for (const LineTime& line : lines)
        for (const auto& [name, share] : line.stalls)
            all[name] += share;
    return all;
}

LineTimes line_times(const gpu::Samples& samples, const std::string& file) {
    LineTimes times;
    times.samples = samples.taken;
    times.dropped = samples.dropped;
    times.period_cycles = std::uint64_t{1} << samples.period_log2;
    const auto share = [&](std::uint64_t count) {
        return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(samples.taken, 1));
    };
    const std::filesystem::path own = std::filesystem::path(file).filename();
    std::map<std::pair<std::string, int>, LineTime> by_place;
    for (const gpu::SampledLine& sampled : samples.lines) {
        const std::filesystem::path name = std::filesystem::path(sampled.file).filename();
        const std::string other = sampled.line == 0 || name == own ? "" : name.string();
        LineTime& line = by_place[{other, sampled.line}];
        line.file = other;
        line.line = sampled.line;
        line.share += share(sampled.samples);
        for (const auto& [reason, count] : sampled.stalls)
            line.stalls[reason] += share(count);
        times.kernels[simt::plain_name(sampled.kernel)] += share(sampled.samples);
    }
    for (auto& [place, line] : by_place)
        times.lines.push_back(std::move(line));
    std::stable_sort(times.lines.begin(), times.lines.end(),
                     [](const LineTime& a, const LineTime& b) { return a.share > b.share; });
    return times;
}

OrderedJson to_json(const LineTimes& times) {
    OrderedJson out{{"samples", times.samples},
                    {"dropped", times.dropped},
                    {"period_cycles", times.period_cycles},
                    {"kernels", shares(times.kernels)}};
    out["lines"] = OrderedJson::array();
    for (const LineTime& line : times.lines) {
        OrderedJson each{{"line", line.line}};
        if (!line.file.empty()) each["file"] = line.file;
        each["share"] = rounded(line.share);
        each["stalls"] = shares(line.stalls);
        out["lines"].push_back(std::move(each));
    }
    return out;
}

Result<LineTimes> line_times_of(const Json& json, const std::string& where) {
    const auto wrong = [&](const std::string& what) { return error(where + ": " + what); };
    LineTimes times;
    const auto number = [&](const Json& of, const char* key, auto& into) {
        const auto found = of.is_object() ? of.find(key) : of.end();
        if (!of.is_object() || found == of.end() || !found->is_number()) return false;
        into = found->get<std::remove_reference_t<decltype(into)>>();
        return true;
    };
    if (!number(json, "samples", times.samples) || !number(json, "dropped", times.dropped) ||
        !number(json, "period_cycles", times.period_cycles))
        return wrong("'samples', 'dropped' and 'period_cycles' must be numbers");
    if (!json.contains("kernels") || !read_shares(json["kernels"], times.kernels))
        return wrong("'kernels' must be a table of shares");
    if (!json.contains("lines") || !json["lines"].is_array()) return wrong("'lines' must be a list");
    for (const Json& each : json["lines"]) {
        LineTime line;
        const bool fine = number(each, "line", line.line) && number(each, "share", line.share) &&
                          each.contains("stalls") && read_shares(each["stalls"], line.stalls) &&
                          (!each.contains("file") || each["file"].is_string());
        if (!fine) return wrong("each of 'lines' needs 'line', 'share' and 'stalls'");
        if (each.contains("file")) line.file = each["file"].get<std::string>();
        times.lines.push_back(std::move(line));
    }
    return times;
}

std::string table_of(const LineTimes& times, const std::string& source) {
    const std::vector<std::string> text = lines_of(source);
    std::string table;
    for (const LineTime& line : times.lines) {
        if (line.share < 0.01) break;
        const bool own = line.file.empty() && line.line > 0;
        const auto at = static_cast<std::size_t>(line.line) - 1;
        const std::string place = own              ? "line " + std::to_string(line.line)
                                  : line.line == 0 ? "no line"
                                                   : line.file + ":" + std::to_string(line.line);
        table += "  " + share_text(line.share) + "  " + place;
        if (own && at < text.size()) table += ": " + text[at];
        table += "\n             " + main_reasons(line) + '\n';
    }
    return table;
}

}  // namespace lanescope::session
