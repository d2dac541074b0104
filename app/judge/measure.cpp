#include "judge/measure.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "analysis/flow/flow.h"
#include "trace/events.h"

namespace lanescope::judge {

namespace {

using analysis::Metrics;
using lesson::Feature;
using lesson::GoalKind;

double ratio(std::uint64_t part, std::uint64_t whole, double without) {
    return whole == 0 ? without : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t uses_of(Feature feature, const Metrics& m) {
    switch (feature) {
        case Feature::shared:
            return m.shared_load_requests + m.shared_store_requests + m.shared_atomic_requests;
        case Feature::shuffle:
            return m.operations[analysis::Operation::exchange];
        case Feature::atomics:
            return m.atomics;
        case Feature::barrier:
            return m.barriers;
        case Feature::constant:
            return m.constant_load_requests + m.constant_generic_requests;
        case Feature::local:
            return m.local_load_requests + m.local_store_requests;
    }
    return 0;
}

// Threads that loaded from a buffer of global memory, or stored to it.
std::uint64_t accesses_of(const std::string& buffer, trace::EventKind kind, const trace::Trace& trace) {
    std::uint64_t count = 0;
    for (const trace::Symbol& symbol : trace.symbols) {
        if (symbol.name != buffer || symbol.space != trace::Space::global) continue;
        for (std::uint64_t number = 0; number < trace.turns.size(); ++number) {
            trace::EventReader reader(trace, number);
            trace::Event event;
            while (reader.next(event)) {
                if (event.kind != kind || event.space != trace::Space::global) continue;
                unsigned nth = 0;
                for (unsigned lane = 0; lane < trace::warp_size; ++lane)
                    if (event.mask >> lane & 1) {
                        const std::uint64_t offset = trace::offset_of(event, lane, nth++);
                        count += offset - symbol.offset < symbol.size_bytes;
                    }
            }
        }
    }
    return count;
}

// The count that one set of metrics has; for lines its part in that count.
double count_of(const lesson::Goal& goal, const Metrics& m) {
    const std::uint64_t sectors = m.global_load_sectors + m.global_store_sectors,
                        ideal = m.global_load_ideal_sectors + m.global_store_ideal_sectors;
    switch (goal.kind) {
        case GoalKind::conflicts:
            return static_cast<double>(m.shared_conflict_degree);
        case GoalKind::wavefronts:
            return ratio(m.shared_load_wavefronts + m.shared_store_wavefronts,
                         m.shared_load_requests + m.shared_store_requests, 0);
        case GoalKind::coalescing:
            return ratio(sectors, ideal, 1);
        case GoalKind::sectors:
            return static_cast<double>(sectors);
        case GoalKind::loads:
            return static_cast<double>(m.global_load_lanes);
        case GoalKind::stores:
            return static_cast<double>(m.global_store_lanes);
        case GoalKind::divergence:
            return static_cast<double>(m.divergent_branches);
        case GoalKind::efficiency:
            return m.simt_efficiency();
        case GoalKind::atomics:
            return static_cast<double>(m.atomics);
        case GoalKind::global_atomics:
            return static_cast<double>(m.global_atomic_requests);
        case GoalKind::atomic_passes:
            return static_cast<double>(m.atomic_passes);
        case GoalKind::instructions:
            return static_cast<double>(m.warp_instructions);
        case GoalKind::uses:
        case GoalKind::avoids:
            return static_cast<double>(uses_of(goal.feature, m));
        default:
            return 0;
    }
}

// The part that a line or a turn has in the count. Its own ratio says little about its part in the whole.
double part_of(const lesson::Goal& goal, const Metrics& m) {
    switch (goal.kind) {
        case GoalKind::wavefronts:
            return static_cast<double>(m.shared_load_wavefronts + m.shared_store_wavefronts) -
                   static_cast<double>(m.shared_load_ideal_wavefronts + m.shared_store_ideal_wavefronts);
        case GoalKind::coalescing:
            return static_cast<double>(m.global_load_sectors + m.global_store_sectors) -
                   static_cast<double>(m.global_load_ideal_sectors + m.global_store_ideal_sectors);
        case GoalKind::efficiency:
            return 32.0 * static_cast<double>(m.warp_instructions) -
                   static_cast<double>(m.thread_instructions);
        case GoalKind::phases:
            return static_cast<double>(m.barriers);
        case GoalKind::operations:
            return static_cast<double>(
                std::accumulate(m.data_operations.of.begin(), m.data_operations.of.end(), std::uint64_t{}));
        default:
            return count_of(goal, m);
    }
}

}  // namespace

std::uint64_t phases_of(const trace::Trace& trace) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> barriers;  // by launch and block
    for (const trace::BarrierRelease& release : trace.releases) {
        const std::uint64_t turn = release.turn == 0 ? 0 : release.turn - 1;
        ++barriers[{trace.launch_of(turn), release.block}];
    }
    std::vector<std::uint64_t> most(trace.launches.size(), 0);
    for (const auto& [place, count] : barriers)
        if (place.first < most.size()) most[place.first] = std::max(most[place.first], count);
    std::uint64_t phases = 0;
    for (const std::uint64_t each : most)
        phases += each + 1;
    return phases;
}

std::uint64_t depth_of(const std::string& buffer, const execution::RunResult& run) {
    const auto flow = run.flow->get();
    std::uint64_t depth = 0;
    for (std::size_t i = 0; i < run.trace->symbols.size() && i < flow->at_end.size(); ++i) {
        if (run.trace->symbols[i].name != buffer) continue;
        for (const analysis::ValueId value : flow->at_end[i])
            depth = std::max<std::uint64_t>(depth, flow->graph.depth(value));
    }
    return depth;
}

std::optional<bool> passes_through(const lesson::Goal& uses, const execution::RunResult& run) {
    const auto flow = run.flow->get();
    const analysis::FlowGraph& graph = flow->graph;
    // Atomic operations may also be a lock that values do not pass through.
    const bool marked = !uses.buffer.empty() || uses.feature == Feature::shared ||
                        uses.feature == Feature::shuffle || uses.feature == Feature::constant;
    if (!marked || !flow->complete) return {};
    const auto in_buffer = [&](const analysis::FlowWrite& write) {
        return write.space == trace::Space::global &&
               std::any_of(run.trace->symbols.begin(), run.trace->symbols.end(), [&](const auto& symbol) {
                   return symbol.name == uses.buffer && symbol.space == trace::Space::global &&
                          write.offset - symbol.offset < symbol.size_bytes;
               });
    };
    const auto marks = [&](const analysis::FlowWrite& write) {
        if (!uses.buffer.empty()) return !write.exchange && in_buffer(write);
        if (uses.feature == Feature::shuffle) return write.exchange;
        return uses.feature == Feature::shared && write.space == trace::Space::shared && !write.exchange;
    };
    const auto is_constant = [&](analysis::ValueId id) {
        return uses.buffer.empty() && uses.feature == Feature::constant && graph.is_input(id) &&
               run.trace->symbols[graph.input(id).symbol].space == trace::Space::constant;
    };
    std::vector<bool> passed(graph.end() - graph.first_node());  // operands come before their node
    const auto came_through = [&](analysis::ValueId id) {
        return graph.is_node(id) ? static_cast<bool>(passed[id - graph.first_node()]) : is_constant(id);
    };
    for (analysis::ValueId id = graph.first_node(); id < graph.end(); ++id) {
        const analysis::FlowGraph::Node& node = graph.node(id);
        const analysis::FlowWrite* write = analysis::is_copy(graph.op(id)) ? &graph.write_of(id) : nullptr;
        passed[id - graph.first_node()] = came_through(node.operands[0]) ||
                                          (write ? marks(*write) : came_through(node.operands[1])) ||
                                          ((!write || write->atomic) && came_through(node.operands[2]));
    }
    std::uint64_t all = 0, through = 0;
    for (const lesson::ExpectOutcome& outcome : run.expectations)
        for (std::size_t i = 0; i < run.trace->symbols.size() && i < flow->at_end.size(); ++i)
            if (run.trace->symbols[i].name == outcome.buffer)
                for (const analysis::ValueId value : flow->at_end[i])
                    if (graph.is_node(value)) ++all, through += came_through(value);
    if (all == 0) return {};
    return 2 * through >= all;
}

double measured(const lesson::Goal& goal, const execution::RunResult& run) {
    switch (goal.kind) {
        case GoalKind::operations:
            return static_cast<double>(run.flow->get()->graph.operations());
        case GoalKind::depth:
            return static_cast<double>(depth_of(goal.buffer, run));
        case GoalKind::loads:
        case GoalKind::stores:
            if (goal.buffer.empty()) return count_of(goal, run.report.total);
            return static_cast<double>(accesses_of(
                goal.buffer, goal.kind == GoalKind::loads ? trace::EventKind::load : trace::EventKind::store,
                *run.trace));
        case GoalKind::phases:
            return static_cast<double>(phases_of(*run.trace));
        case GoalKind::shared_bytes: {
            std::uint32_t most = 0;
            for (const trace::Launch& launch : run.trace->launches)
                most = std::max(most, launch.shared_bytes);
            return most;
        }
        default:
            return count_of(goal, run.report.total);
    }
}

std::uint32_t line_of(const lesson::Goal& goal, const execution::RunResult& run) {
    std::uint32_t line = 0;
    double most = 0;
    for (const analysis::LineMetrics& each : run.report.lines)
        if (const double here = part_of(goal, each.metrics); here > most) {
            most = here;
            line = each.line;
        }
    return line;
}

std::optional<std::uint64_t> turn_of(const lesson::Goal& goal, const execution::RunResult& run,
                                     std::uint32_t line) {
    if (!run.trace) return {};
    std::optional<std::uint64_t> found;
    double most = 0;
    std::vector<trace::TurnDetail> turn(1);
    for (std::uint64_t number = 0; number < run.trace->turns.size(); ++number) {
        if (run.trace->turns[number].line != line) continue;
        turn[0] = {};
        trace::decode(*run.trace, number, turn[0]);
        turn[0].turn = number;
        if (const double here = part_of(goal, analysis::measure_turns(turn, *run.trace)); here > most) {
            most = here;
            found = number;
        }
    }
    return found;
}

std::vector<std::uint32_t> barrier_lines(const execution::RunResult& run) {
    std::vector<std::uint32_t> lines;
    for (const analysis::LineMetrics& each : run.report.lines)
        if (each.line != 0 && each.metrics.barriers != 0) lines.push_back(each.line);
    return lines;
}

}  // namespace lanescope::judge
