// The clock's reading as text and JSON.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/number_text.h"
#include "base/text.h"
#include "gpu/sampled/stall_reasons.h"
#include "session/clock/clock.h"

namespace lanescope::session {

namespace {

constexpr double least_share = 0.01;  // of a line that the text lists

std::string percent(double share) {
    return std::to_string(std::lround(100 * share)) + " %";
}

std::string parameters_words(const lesson::ParameterValues& parameters) {
    std::string words;
    for (const auto& [name, value] : parameters)
        words += (words.empty() ? "" : " ") + name + "=" + std::to_string(value);
    return words;
}

// The two reasons that cost most.
std::string stalls_words(const analysis::LineCycles& line, double all) {
    std::string words;
    for (const analysis::Stall stall : largest_stalls(line, all))
        words += (words.empty() ? "" : ", ") + percent(line.stalls[static_cast<std::size_t>(stall)] / all) +
                 " " + std::string(gpu::stall_words(analysis::to_text(stall)));
    return words;
}

}  // namespace

const char* to_text(RegisterSource source) {
    switch (source) {
        case RegisterSource::recorded:
            return "recorded";
        case RegisterSource::assembler:
            return "assembler";
        case RegisterSource::assumed:
            break;
    }
    return "assumed";
}

std::string estimated_time(double microseconds) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1e", microseconds);
    const double rounded = std::strtod(digits, nullptr);
    const auto words = [&](double scale, const char* unit) {
        const double value = rounded * scale;
        std::snprintf(digits, sizeof digits, value < 10 ? "%.1f" : "%.0f", value);
        return digits + std::string(unit);
    };
    if (rounded < 1) return words(1e3, " ns");
    if (rounded < 1e3) return words(1, " µs");
    return rounded < 1e6 ? words(1e-3, " ms") : words(1e-6, " s");
}

std::string estimated_words(double microseconds) {
    return "≈ " + estimated_time(microseconds);
}

std::string error_words(const ClockReading& reading) {
    return "Estimated for an " + reading.device + " from the CPU machine's trace; on " +
           std::to_string(std::llround(reading.error.recorded_runs)) +
           " recorded runs half of the estimates were within " + percent(reading.error.half_within) +
           ", nine of ten within " + percent(reading.error.nine_of_ten_within) + ".";
}

std::string wait_words(const ClockReading& reading, std::size_t launch) {
    if (!reading.estimate.refused.empty() || launch >= reading.estimate.launches.size()) return {};
    const analysis::LaunchCycles& of = reading.estimate.launches[launch];
    analysis::LineCycles all;
    all.stalls = of.stalls;
    const double time = std::max(all.total(), 1.0);
    all.stalls[static_cast<std::size_t>(analysis::Stall::issues)] = 0;
    const std::vector<analysis::Stall> most = largest_stalls(all, time);
    std::string text = (of.rows == 1 ? "One warp is alone on" : std::to_string(of.rows) + " warps share") +
                       std::string(" a multiprocessor, whose schedulers issue in ") +
                       percent(of.issue_share) + " of their cycles.";
    for (std::size_t i = 0; i < most.size(); ++i) {
        const auto reason = static_cast<std::size_t>(most[i]);
        text += (i == 0 ? " A warp waits " : ", ") + percent(all.stalls[reason] / time) +
                (i == 0 ? " of its time for " : " for ") +
                std::string(gpu::stall_cause(analysis::to_text(most[i])));
    }
    return text + (most.empty() ? "" : ".");
}

analysis::StallCycles stalls_of(const analysis::CyclesEstimate& estimate) {
    analysis::StallCycles sum{};
    for (const analysis::LineCycles& line : estimate.lines)
        for (std::size_t i = 0; i < analysis::stall_count; ++i)
            sum[i] += line.stalls[i];
    return sum;
}

std::vector<analysis::Stall> largest_stalls(const analysis::LineCycles& line, double all) {
    std::vector<analysis::Stall> order;
    for (std::size_t i = 0; i < analysis::stall_count; ++i)
        if (line.stalls[i] >= least_share * all) order.push_back(static_cast<analysis::Stall>(i));
    std::stable_sort(order.begin(), order.end(), [&](analysis::Stall a, analysis::Stall b) {
        return line.stalls[static_cast<std::size_t>(a)] > line.stalls[static_cast<std::size_t>(b)];
    });
    if (order.size() > 2) order.resize(2);
    return order;
}

LineTimes line_times(const ClockReading& reading) {
    LineTimes times;
    const double all = reading.estimate.warp_cycles();
    for (const analysis::LineCycles& line : reading.estimate.lines) {
        LineTime made{static_cast<int>(line.line), "", line.total() / all, {}};
        for (std::size_t i = 0; i < analysis::stall_count; ++i)
            if (line.stalls[i] > 0)
                made.stalls[analysis::to_text(static_cast<analysis::Stall>(i))] += line.stalls[i] / all;
        times.lines.push_back(std::move(made));
    }
    return times;
}

std::string to_text(const ClockReading& reading, const std::string& source) {
    const analysis::CyclesEstimate& estimate = reading.estimate;
    if (!estimate.refused.empty())
        return "no estimate for an " + reading.device + ": " + estimate.refused +
               (estimate.refused_line != 0 ? " (line " + std::to_string(estimate.refused_line) + ")" : "") +
               "\n";
    std::string text = "estimated, not measured, for an " + reading.device + ": " +
                       time_words(estimate.microseconds / 1000) + "\n";
    if (estimate.mostly_launch())
        text += "  mostly the launch: " + time_words(estimate.launch_microseconds / 1000) +
                " of it would pass with an empty kernel\n";
    if (!reading.traced.empty())
        text += "  from a run with " + parameters_words(reading.traced) + ", whose blocks do the same\n";
    constexpr std::size_t most_launches = 8;
    for (std::size_t i = 0; i < estimate.launches.size() && i < most_launches; ++i) {
        const analysis::LaunchCycles& launch = estimate.launches[i];
        text += "launch " + reading.launches[i].kernel + ": " + std::to_string(std::llround(launch.cycles)) +
                " cycles, limited by " + launch.limit + "\n  " +
                gpu::occupancy_text(reading.launches[i].occupancy) + " (" +
                to_text(reading.launches[i].source) + " registers)\n";
    }
    if (estimate.launches.size() > most_launches)
        text += "and " + std::to_string(estimate.launches.size() - most_launches) + " more launches\n";
    text += "lines by their share of the warps' time:\n";
    const double all = estimate.warp_cycles();
    for (const analysis::LineCycles& line : estimate.lines) {
        if (line.total() / all < least_share) continue;
        text += "  " + std::to_string(line.line) + "  " + percent(line.total() / all) + "  " +
                std::string(text_of_line(source, line.line)) + "  (" + stalls_words(line, all) + ")\n";
    }
    return text + error_words(reading) + "\n";
}

namespace {

// What each warp of one multiprocessor does, as far as it was kept.
nlohmann::ordered_json timeline_json(const analysis::LaunchCycles& launch) {
    using nlohmann::ordered_json;
    ordered_json blocks = ordered_json::array(), intervals = ordered_json::array();
    for (const analysis::SimulatedBlock& each : launch.simulated)
        blocks.push_back(
            {{"block", each.block}, {"row", each.first_row}, {"begin", each.begin}, {"end", each.end}});
    for (const analysis::WarpInterval& each : launch.intervals)
        intervals.push_back({launch.simulated[each.block].first_row + each.warp, each.begin, each.end,
                             each.line, analysis::to_text(each.stall)});
    return {{"rows", launch.rows}, {"blocks", blocks}, {"intervals", intervals}};
}

}  // namespace

nlohmann::ordered_json to_json(const ClockReading& reading) {
    const analysis::CyclesEstimate& estimate = reading.estimate;
    nlohmann::ordered_json out{{"device", reading.device}, {"estimated", true}};
    if (!estimate.refused.empty()) {
        out["refused"] = estimate.refused;
        out["line"] = estimate.refused_line;
        return out;
    }
    out["microseconds"] = estimate.microseconds;
    out["launch_microseconds"] = estimate.launch_microseconds;
    out["mostly_launch"] = estimate.mostly_launch();
    out["error"] = {{"recorded_runs", std::llround(reading.error.recorded_runs)},
                    {"half_within", reading.error.half_within},
                    {"nine_of_ten_within", reading.error.nine_of_ten_within}};
    if (!reading.traced.empty()) out["traced"] = reading.traced;
    for (std::size_t i = 0; i < estimate.launches.size(); ++i) {
        const analysis::LaunchCycles& launch = estimate.launches[i];
        const ClockedLaunch& of = reading.launches[i];
        out["launches"].push_back({{"kernel", of.kernel},
                                   {"cycles", launch.cycles},
                                   {"limit", launch.limit},
                                   {"blocks_per_sm", of.occupancy.occupancy.blocks_per_sm},
                                   {"registers", of.occupancy.block.registers_per_thread},
                                   {"registers_from", to_text(of.source)},
                                   {"issue_share", launch.issue_share},
                                   {"l1_share", launch.l1_share},
                                   {"l2_share", launch.l2_share},
                                   {"dram_share", launch.dram_share},
                                   {"dram_bytes", launch.dram_bytes}});
        if (!launch.simulated.empty()) out["launches"].back()["timeline"] = timeline_json(launch);
    }
    const double all = estimate.warp_cycles();
    for (const analysis::LineCycles& line : estimate.lines) {
        nlohmann::ordered_json stalls = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < analysis::stall_count; ++i)
            if (line.stalls[i] > 0)
                stalls[analysis::to_text(static_cast<analysis::Stall>(i))] = line.stalls[i] / all;
        out["lines"].push_back({{"line", line.line}, {"share", line.total() / all}, {"stalls", stalls}});
    }
    return out;
}

namespace {

// Launches that differ in what limits them: one of each kernel and block.
std::vector<ClockedLaunch> different(const std::vector<ClockedLaunch>& launches) {
    std::vector<ClockedLaunch> found;
    for (const ClockedLaunch& each : launches)
        if (std::none_of(found.begin(), found.end(),
                         [&](const ClockedLaunch& other) { return other.occupancy.same_as(each.occupancy); }))
            found.push_back(each);
    return found;
}

}  // namespace

std::string resources_text(const Resources& resources, const std::vector<ClockedLaunch>& launches,
                           const std::string& source) {
    if (!resources.absent.empty()) return "no resources: " + resources.absent + "\n";
    std::string text = "from NVIDIA's assembler for " + resources.target + ":\n";
    for (const KernelResources& each : resources.kernels)
        text += each.kernel + ": " + kernel_words(each) + "\n";
    for (const ClockedLaunch& each : different(launches)) {
        const gpu::Occupancy& occupancy = each.occupancy.occupancy;
        text += "launch " + each.kernel + ": " +
                counted(static_cast<std::uint64_t>(occupancy.blocks_per_sm), "block") + " of " +
                counted(static_cast<std::uint64_t>(each.occupancy.block.threads), "thread") +
                " on a multiprocessor, " + std::to_string(occupancy.warps) + " of " +
                std::to_string(occupancy.most_warps) + " warps, limited by " +
                gpu::limiter_words(occupancy.limiter) + "\n";
        for (const gpu::OccupancyLimit& limit : each.limits)
            text += "  " + gpu::limiter_words(limit.name) + ": " + limit.arithmetic + " = " +
                    counted(static_cast<std::uint64_t>(limit.blocks), "block") + "\n";
    }
    if (!resources.lines_absent.empty()) return text + "no lines: " + resources.lines_absent + "\n";
    text += "lines:\n";
    for (const LineResources& each : resources.lines)
        text += "  " + std::to_string(each.line) + "  " + line_words(each) + "  " +
                std::string(text_of_line(source, each.line)) + "\n";
    return text;
}

nlohmann::ordered_json resources_json(const Resources& resources,
                                      const std::vector<ClockedLaunch>& launches) {
    nlohmann::ordered_json out = to_json(resources);
    for (const ClockedLaunch& each : different(launches)) {
        const gpu::Occupancy& occupancy = each.occupancy.occupancy;
        nlohmann::ordered_json limits = nlohmann::ordered_json::array();
        for (const gpu::OccupancyLimit& limit : each.limits)
            limits.push_back(
                {{"limit", limit.name}, {"blocks", limit.blocks}, {"arithmetic", limit.arithmetic}});
        out["launches"].push_back({{"kernel", each.kernel},
                                   {"threads", each.occupancy.block.threads},
                                   {"shared_bytes", each.occupancy.block.shared_bytes},
                                   {"blocks_per_sm", occupancy.blocks_per_sm},
                                   {"warps", occupancy.warps},
                                   {"most_warps", occupancy.most_warps},
                                   {"limiter", occupancy.limiter},
                                   {"limits", limits}});
    }
    return out;
}

}  // namespace lanescope::session
