#include "scene/source/line_marks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/number_text.h"
#include "scene/words/access_words.h"

namespace lanescope::scene {
namespace {

using trace::LaneStatus;

bool goes_on(LaneStatus status) {
    return status == LaneStatus::ready || status == LaneStatus::diverged ||
           status == LaneStatus::at_barrier || status == LaneStatus::at_warp_sync;
}

}  // namespace

double heat_amount(const analysis::LineMetrics& line, HeatMetric metric) {
    const analysis::Metrics& all = line.metrics;
    const auto beyond = [](std::uint64_t passes, std::uint64_t requests) {
        return passes > requests ? double(passes - requests) : 0.0;
    };
    switch (metric) {
        case HeatMetric::executions:
            return double(line.executions);
        case HeatMetric::divergence:
            return double(all.warp_instructions) * trace::warp_size - double(all.thread_instructions);
        case HeatMetric::conflicts:
            return beyond(all.shared_load_wavefronts, all.shared_load_requests) +
                   beyond(all.shared_store_wavefronts, all.shared_store_requests) +
                   beyond(all.atomic_passes, all.global_atomic_requests + all.shared_atomic_requests);
        case HeatMetric::sectors:
            return double(all.global_load_sectors + all.global_store_sectors + all.global_atomic_sectors);
        case HeatMetric::time:
        case HeatMetric::registers:
            break;
    }
    return 0;
}

float heat_of(const session::Session& session, std::uint32_t line, HeatMetric metric) {
    if (!session.run()) return 0;
    const analysis::LineMetrics* metrics = session.run()->report.line(line);
    if (!metrics || metrics->executions == 0) return 0;
    double most = 0;
    for (const analysis::LineMetrics& each : session.run()->report.lines)
        most = std::max(most, heat_amount(each, metric));
    return most > 0 ? std::sqrt(float(heat_amount(*metrics, metric) / most)) : 0;
}

std::string heat_text(const session::Session& session, std::uint32_t line) {
    if (session.run() && !session.run()->report_ready) return not_counted(session);
    const analysis::LineMetrics* metrics = session.run() ? session.run()->report.line(line) : nullptr;
    if (!metrics || metrics->executions == 0) return {};
    const double lanes = double(metrics->lanes) / double(metrics->executions);
    char average[32];
    std::snprintf(average, sizeof average, "%.1f", lanes);
    std::string text = "line " + std::to_string(line) + ": executed " + grouped(metrics->executions) +
                       " times by warps, " + average + " of 32 lanes on average";
    const analysis::Metrics& all = metrics->metrics;
    if (all.branches)
        text += "\ndivergent branches: " + grouped(all.divergent_branches) + " of " + grouped(all.branches);
    const std::uint64_t requests = all.shared_load_requests + all.shared_store_requests;
    const std::uint64_t wavefronts = all.shared_load_wavefronts + all.shared_store_wavefronts;
    if (requests)
        text +=
            "\nshared memory: " + grouped(wavefronts) + " wavefronts for " + grouped(requests) + " requests";
    const std::uint64_t global = all.global_load_requests + all.global_store_requests;
    const std::uint64_t sectors = all.global_load_sectors + all.global_store_sectors;
    if (global)
        text += "\nglobal memory: " + grouped(sectors) + " sectors for " + grouped(global) + " requests";
    if (all.atomics)
        text += "\natomics: " + grouped(all.atomics) + " in " + grouped(all.atomic_passes) + " passes";
    if (metrics->steps > 1)
        text += "\nexecuted " + grouped(metrics->steps) + " times by the warp that executes it most often";
    for (std::size_t i = 0; i < analysis::operation_count; ++i) {
        if (all.data_operations.of[i] == 0) continue;
        std::string name = analysis::to_text(static_cast<analysis::Operation>(i));
        std::replace(name.begin(), name.end(), '_', ' ');
        text += "\n" + name + " on data: " + grouped(all.data_operations.of[i]);
    }
    return text;
}

LineRegisters line_registers(const session::Session& session) {
    const session::FileClock& clock = session.clock();
    LineRegisters found{clock.resources(), {}};
    if (found.resources)
        found.absent = found.resources->lines_absent;
    else
        found.absent = clock.problem().empty() ? "the code is being assembled …" : clock.problem();
    return found;
}

std::string warp_ranges(const std::vector<std::uint32_t>& warps, std::size_t max_ranges) {
    std::string text;
    std::size_t ranges = 0;
    for (std::size_t i = 0; i < warps.size();) {
        std::size_t end = i + 1;
        while (end < warps.size() && warps[end] == warps[end - 1] + 1)
            ++end;
        if (!text.empty()) text += ' ';
        if (ranges++ == max_ranges) return text + "…";
        text += "w" + std::to_string(warps[i]);
        if (end - i == 2) text += " w" + std::to_string(warps[i + 1]);
        if (end - i > 2) text += "–w" + std::to_string(warps[end - 1]);
        i = end;
    }
    return text;
}

WarpsOnLine warps_on_line(const session::Session& session, std::uint32_t line) {
    const session::StepState* step_state = session.playhead().step_state();
    if (!step_state) return {};
    std::vector<std::uint32_t> active, waiting;
    for (std::uint32_t warp = 0; warp < step_state->warps.size(); ++warp) {
        bool runs = false, waits = false;
        for (const trace::LaneInfo& lane : step_state->warps[warp]) {
            if (lane.line != line) continue;
            runs = runs || lane.status == LaneStatus::active;
            waits = waits || goes_on(lane.status);
        }
        if (runs)
            active.push_back(warp);
        else if (waits)
            waiting.push_back(warp);
    }
    return {warp_ranges(active), warp_ranges(waiting)};
}

}  // namespace lanescope::scene
