#include "scene/inspector/clock_sheet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/files.h"
#include "base/number_text.h"
#include "base/text.h"
#include "gpu/sampled/stall_reasons.h"

namespace lanescope::scene {

namespace {

using session::ClockReading;
using session::estimated_words;

std::string percent(double share) {
    return std::to_string(std::lround(100 * share)) + " %";
}

// At most two digits after the point: "1.5", "1.98", "2".
std::string short_words(double value) {
    return shortest(std::round(100 * value) / 100);
}

std::string reasons_of(const analysis::LineCycles& line, double all) {
    std::string words;
    for (const analysis::Stall stall : session::largest_stalls(line, all))
        words += (words.empty() ? "" : ", ") + percent(line.stalls[static_cast<std::size_t>(stall)] / all) +
                 " " + std::string(gpu::stall_words(analysis::to_text(stall)));
    return words;
}

std::string registers_words(const session::ClockedLaunch& launch) {
    const std::string count =
        std::to_string(launch.occupancy.block.registers_per_thread) + " registers a thread";
    switch (launch.source) {
        case session::RegisterSource::recorded:
            return count + ", as recorded on a GPU";
        case session::RegisterSource::assembler:
            return count + ", from NVIDIA's assembler";
        case session::RegisterSource::assumed:
            break;
    }
    return count + ", assumed: nothing is recorded, and there is no assembler";
}

std::string occupancy_words(const session::ClockedLaunch& launch, const analysis::LaunchCycles& cycles) {
    const gpu::Occupancy& occupancy = launch.occupancy.occupancy;
    const std::string limiter = gpu::limiter_words(occupancy.limiter);
    std::string words = "A multiprocessor holds " +
                        counted(static_cast<std::uint64_t>(occupancy.blocks_per_sm), "block") + ", " +
                        std::to_string(occupancy.warps) + " of " + std::to_string(occupancy.most_warps) +
                        " warps, limited by " + limiter + ".";
    const auto held = static_cast<std::uint32_t>(std::max(occupancy.blocks_per_sm, 0));
    if (cycles.resident_blocks < held)
        words += " The grid gives it " + std::to_string(cycles.resident_blocks) + ".";
    return words;
}

std::vector<ClockLimit> limits_of(const session::ClockedLaunch& launch) {
    std::vector<gpu::OccupancyLimit> sorted = launch.limits;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.blocks < b.blocks; });
    std::vector<ClockLimit> limits;
    for (const gpu::OccupancyLimit& each : sorted)
        limits.push_back({gpu::limiter_words(each.name), each.arithmetic,
                          counted(static_cast<std::uint64_t>(each.blocks), "block"),
                          each.name == launch.occupancy.occupancy.limiter});
    return limits;
}

std::string spills_words(const session::Resources* resources, const std::string& kernel) {
    const session::KernelResources* found = resources ? resources->of_kernel(kernel) : nullptr;
    if (!found || !found->spills()) return {};
    return "Spills: " + counted(found->spill_store_bytes, "byte") + " of stores and " +
           counted(found->spill_load_bytes, "byte") +
           " of loads a thread. Choose \"registers\" above the source to see the lines.";
}

std::string parameters_words(const lesson::ParameterValues& parameters) {
    std::string words;
    for (const auto& [name, value] : parameters)
        words += (words.empty() ? "" : ", ") + name + " = " +
                 (value < 0 ? std::to_string(value) : grouped(static_cast<std::uint64_t>(value)));
    return words;
}

}  // namespace

ClockSheet clock_sheet(const ClockReading& reading, std::size_t launch, const std::string& source,
                       const session::Resources* resources) {
    ClockSheet sheet;
    const analysis::CyclesEstimate& estimate = reading.estimate;
    if (!estimate.refused.empty() || estimate.launches.empty()) {
        sheet.refused =
            "No estimate: " + (estimate.refused.empty() ? "nothing was launched" : estimate.refused);
        sheet.refused_line = estimate.refused_line;
        return sheet;
    }
    sheet.time = estimated_words(estimate.microseconds);
    if (estimate.mostly_launch())
        sheet.launch = "mostly the launch: " + estimated_words(estimate.launch_microseconds) + " of it";
    if (!reading.traced.empty())
        sheet.traced = "From a run with " + parameters_words(reading.traced) + ", whose blocks do the same.";
    launch = std::min(launch, estimate.launches.size() - 1);
    const analysis::LaunchCycles& cycles = estimate.launches[launch];
    sheet.limit = "limited by " + cycles.limit;
    if (estimate.launches.size() > 1) sheet.kernel = reading.launches[launch].kernel;
    sheet.shares = {{"schedulers", cycles.issue_share},
                    {"L1, shared memory", cycles.l1_share},
                    {"L2", cycles.l2_share},
                    {"DRAM", cycles.dram_share},
                    {"start of blocks", cycles.dispatch_share}};
    sheet.occupancy = occupancy_words(reading.launches[launch], cycles);
    sheet.registers = registers_words(reading.launches[launch]);
    sheet.limits = limits_of(reading.launches[launch]);
    sheet.spills = spills_words(resources, reading.launches[launch].kernel);
    constexpr std::size_t most_lines = 6;
    constexpr double least_share = 0.01;
    const double all = estimate.warp_cycles();
    for (const analysis::LineCycles& line : estimate.lines)
        if (line.total() >= least_share * all && sheet.lines.size() < most_lines)
            sheet.lines.push_back({line.line, line.total() / all,
                                   std::string(text_of_line(source, line.line)), reasons_of(line, all)});
    sheet.error = session::error_words(reading);
    return sheet;
}

std::string timed_words(const ClockReading& reading, const session::Timings& timings,
                        const std::string& source) {
    const std::string hash = content_hash(source);
    const auto same = [&](const session::TimingRecord& record) {
        return record.text_hash == hash && record.timed() && record.parameters == reading.parameters;
    };
    const auto& records = timings.report.timings;
    const auto found = std::find_if(records.begin(), records.end(), same);
    if (found == records.end() || found->timing.median_ms <= 0) return {};
    std::string words =
        (timings.recorded ? "recorded " : "measured ") + session::time_words(found->timing.median_ms);
    if (!timings.report.device.name.starts_with(reading.device))
        return words + " on an " + timings.report.device.name;
    const double off = reading.estimate.microseconds / 1000 / found->timing.median_ms - 1;
    if (std::abs(off) < 0.005) return words + ": the estimate is the same";
    return words + ": the estimate is " + percent(std::abs(off)) + (off < 0 ? " too low" : " too high");
}

std::string speed_words(double before, double after) {
    constexpr double about = 1.05;
    const double ratio = std::max(before / after, after / before);
    if (!(ratio >= about)) return "about as fast";
    char times[32];
    std::snprintf(times, sizeof times, ratio < 10 ? "%.1f" : "%.0f", ratio);
    return after < before ? std::string(times) + " times as fast"
                          : "takes " + std::string(times) + " times as long";
}

std::string otherwise_words(const ClockReading& reading, const ClockReading& otherwise, std::size_t launch) {
    const analysis::CyclesEstimate& estimate = otherwise.estimate;
    if (!estimate.refused.empty() || estimate.launches.empty()) return "No estimate: " + estimate.refused;
    launch = std::min(launch, estimate.launches.size() - 1);
    return speed_words(reading.estimate.microseconds, estimate.microseconds) + ", limited by " +
           estimate.launches[launch].limit;
}

namespace {

double knob_place(const ClockKnob& knob, double value) {
    const double share = knob.factor ? std::log(value / knob.least) / std::log(knob.most / knob.least)
                                     : (value - knob.least) / (knob.most - knob.least);
    return std::clamp(share, 0.0, 1.0);
}

double value_at(const ClockKnob& knob, double share) {
    const double value = knob.factor ? knob.least * std::pow(knob.most / knob.least, share)
                                     : knob.least + share * (knob.most - knob.least);
    return std::clamp(std::round(value / knob.step) * knob.step, knob.least, knob.most);
}

constexpr session::WhatIf untouched;

}  // namespace

std::vector<ClockKnob> clock_knobs(const ClockReading& reading, const analysis::DeviceModel& device,
                                   const session::WhatIf& supposed, std::size_t launch) {
    if (reading.launches.empty()) return {};
    using session::WhatIf;
    launch = std::min(launch, reading.launches.size() - 1);
    double blocks = 1;
    for (const session::ClockedLaunch& each : reading.launches)
        blocks = std::max(blocks, static_cast<double>(each.occupancy.occupancy.blocks_per_sm));
    const double registers = reading.launches[launch].occupancy.block.registers_per_thread;
    std::vector<ClockKnob> knobs;
    const auto add = [&](const char* label, const char* unit, ClockKnob knob, const char* checked) {
        if (knob.most <= knob.least) return;
        const double set = knob.whole ? supposed.*knob.whole : supposed.*knob.real;
        const double none = knob.whole ? untouched.*knob.whole : untouched.*knob.real;
        const double value = set == none ? knob.as_it_is : set;
        knob.label = label;
        knob.checked = checked;
        knob.value = (knob.factor ? "× " : "") + short_words(value) + unit;
        knob.share = knob_place(knob, value);
        knobs.push_back(std::move(knob));
    };
    const auto whole = [](double least, double most, double as_it_is, double step, int WhatIf::*figure) {
        return ClockKnob{{}, {}, {}, 0, least, most, as_it_is, step, false, figure, nullptr};
    };
    const auto factor = [](double WhatIf::*figure) {
        return ClockKnob{{}, {}, {}, 0, 0.5, 2, 1, 0.05, true, nullptr, figure};
    };
    add("resident blocks", "", whole(1, blocks, blocks, 1, &WhatIf::resident_blocks),
        "checked against recordings with fewer blocks");
    add("registers per thread", "", whole(std::min(16.0, registers), 255, registers, 1, &WhatIf::registers),
        "only their limit on blocks; spills are not modelled");
    add("memory latency", "", factor(&WhatIf::latency), "");
    add("memory bandwidth", "", factor(&WhatIf::bandwidth), "");
    add("schedulers", "", whole(1, 8, device.schedulers, 1, &WhatIf::schedulers), "");
    add("clock", " GHz", {{}, {}, {}, 0, 0.5, 4, device.clock_ghz, 0.01, false, nullptr, &WhatIf::clock_ghz},
        "latency, bandwidth, schedulers, clock: not checked, no such GPU was measured");
    return knobs;
}

session::WhatIf turned(const ClockKnob& knob, session::WhatIf supposed, double share) {
    const double value = value_at(knob, share);
    // Near its own value the knob rests there.
    const bool rests = std::abs(knob_place(knob, knob.as_it_is) - share) < 0.02;
    if (knob.whole != nullptr)
        supposed.*knob.whole = rests || std::lround(value) == std::lround(knob.as_it_is)
                                   ? untouched.*knob.whole
                                   : static_cast<int>(std::lround(value));
    else
        supposed.*knob.real = rests ? untouched.*knob.real : value;
    return supposed;
}

SweepPlot sweep_plot(const session::FileClock::Sweep& sweep, std::int64_t now) {
    using Point = session::FileClock::SweepPoint;
    SweepPlot plot;
    plot.parameter = sweep.parameter;
    std::vector<const Point*> points;
    std::string why;
    std::size_t refused = 0;
    for (const Point& point : sweep.points) {
        if (point.refused.empty()) {
            points.push_back(&point);
        } else {
            ++refused;
            if (why.empty()) why = point.refused;
        }
    }
    if (refused > 0)
        plot.refused = (refused == 1 ? "1 value has" : std::to_string(refused) + " values have") +
                       " no estimate: " + why;
    if (points.empty()) return plot;
    const auto quicker = [](const Point* a, const Point* b) { return a->microseconds < b->microseconds; };
    const auto [fastest, slowest] = std::minmax_element(points.begin(), points.end(), quicker);
    // The axis spans at least a factor of two: smaller differences must not look large.
    const double low = (*fastest)->microseconds, high = std::max((*slowest)->microseconds, 2 * low);
    plot.low = estimated_words(low);
    plot.high = estimated_words(high);
    const auto log_value = [](const Point* point) {
        return std::log(static_cast<double>(std::max<std::int64_t>(point->value, 1)));
    };
    const double left = log_value(points.front()), right = std::max(log_value(points.back()), left + 1e-9);
    const Point* current = nullptr;
    for (const Point* point : points) {
        SweepDot dot;
        dot.value = point->value;
        dot.words = sweep.parameter + " = " + std::to_string(point->value) + ": " +
                    estimated_words(point->microseconds);
        dot.x = (log_value(point) - left) / (right - left);
        dot.y = std::log(point->microseconds / low) / std::log(high / low);
        dot.now = point->value == now;
        dot.best = point == *fastest;
        if (dot.now) current = point;
        plot.dots.push_back(std::move(dot));
    }
    constexpr double error = 1.1;  // a smaller ratio does not say which one is faster
    plot.best = "fastest with " + sweep.parameter + " = " + std::to_string((*fastest)->value) + ": " +
                estimated_words(low);
    if (current == *fastest)
        plot.best += ", the value now";
    else if (current != nullptr && current->microseconds < error * low)
        plot.best += "; now it is about as fast";
    else if (current != nullptr)
        plot.best += ", " + speed_words(current->microseconds, low) + " as now";
    return plot;
}

std::vector<std::string> swept_parameters(const ClockReading& reading) {
    std::vector<std::string> names;
    for (const lesson::Parameter& parameter : reading.declared) {
        const auto now = reading.parameters.find(parameter.name);
        if (now != reading.parameters.end() && !session::swept_values(parameter, now->second).empty())
            names.push_back(parameter.name);
    }
    return names;
}

}  // namespace lanescope::scene
