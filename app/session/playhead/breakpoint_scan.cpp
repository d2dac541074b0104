#include "session/playhead/breakpoint_scan.h"

#include <algorithm>
#include <bit>

#include "execution/lanes/lane_scope.h"
#include "execution/run/source_lines.h"

namespace lanescope::session {

namespace {

constexpr std::uint64_t turns_between_clocks = 4096;

// Whether the steps show this block of the launch for the focus block.
bool is_shown(const trace::Launch& launch, std::uint32_t focus, std::uint32_t block) {
    if (launch.records(focus)) return block == focus;
    return block == (launch.recorded_blocks.empty() ? 0 : launch.recorded_blocks.front());
}

}  // namespace

BreakpointScan::BreakpointScan(std::shared_ptr<const trace::Trace> trace, Request request)
    : trace_(std::move(trace)), request_(std::move(request)) {
    request_.end = std::min<std::uint64_t>(request_.end, trace_->turns.size());
    request_.first = std::min(request_.first, request_.end);
    for (const Breakpoint& each : request_.breakpoints)
        if (each.enabled) add(each);
}

void BreakpointScan::add(const Breakpoint& breakpoint) {
    if (!breakpoint.cell.empty()) {
        Result<NamedCell> cell = cell_named(*trace_, breakpoint.cell);
        if (!cell) return;
        const bool shared = cell->parts.front().space == trace::Space::shared;
        cells_.push_back({breakpoint.cell, std::move(*cell), shared});
        return;
    }
    if (breakpoint.line == 0) return;
    Stop stop;
    stop.line = breakpoint.line;
    if (!breakpoint.condition.empty()) {
        Result<execution::LaneExpression> condition = execution::LaneExpression::parse(breakpoint.condition);
        if (!condition) return;
        stop.any_block = condition->names("blockIdx");
        stop.condition = std::move(*condition);
    }
    if (lines_.size() <= breakpoint.line) lines_.resize(breakpoint.line + 1);
    lines_[breakpoint.line] = true;
    stops_.push_back(std::move(stop));
}

trace::Mask BreakpointScan::writers(const CellStop& stop, std::uint64_t turn, std::uint32_t launch) {
    const std::uint32_t block = trace_->turns[turn].block;
    const auto is_other = [&](std::uint32_t of) {
        return stop.shared && !is_shown(trace_->launches[launch], request_.focus_block, of);
    };
    if (is_other(block) && trace_->launches[launch].cluster.count() == 1) return 0;
    trace::decode(*trace_, turn, detail_);
    trace::Mask lanes = 0;
    for (const trace::Access& access : detail_.accesses)
        if (!is_other(access.block_reached(block))) lanes |= stop.cell.writers(access, launch);
    return lanes;
}

const BreakpointScan::CellStop* BreakpointScan::cell_stop_at(std::uint64_t turn, std::uint32_t launch) {
    const auto stop = std::find_if(cells_.begin(), cells_.end(),
                                   [&](const CellStop& each) { return writers(each, turn, launch) != 0; });
    return stop == cells_.end() ? nullptr : &*stop;
}

float BreakpointScan::share() const {
    const std::uint64_t all = request_.end - request_.first;
    return all == 0 ? 1.0f : static_cast<float>(looked_at_) / static_cast<float>(all);
}

const BreakpointScan::Stop* BreakpointScan::stop_at(const trace::Turn& turn) const {
    if (turn.line >= lines_.size() || !lines_[turn.line]) return nullptr;
    const auto stop =
        std::find_if(stops_.begin(), stops_.end(), [&](const Stop& each) { return each.line == turn.line; });
    return stop == stops_.end() ? nullptr : &*stop;
}

BreakpointScan::Progress BreakpointScan::run(std::chrono::microseconds budget) {
    const auto deadline = std::chrono::steady_clock::now() + budget;
    const std::uint64_t all = request_.end - request_.first;
    if (stops_.empty() && cells_.empty()) return Progress::nothing;
    std::uint32_t launch = trace::none;
    for (std::uint64_t quick = 0; looked_at_ < all; ++looked_at_) {
        at_ = request_.back ? request_.end - 1 - looked_at_ : request_.first + looked_at_;
        if (++quick % turns_between_clocks == 0 && std::chrono::steady_clock::now() > deadline)
            return Progress::going_on;
        const trace::Turn& turn = trace_->turns[at_];
        const Stop* stop = stop_at(turn);
        if (!stop && cells_.empty()) continue;
        if (launch == trace::none || at_ < trace_->launches[launch].first_turn ||
            at_ >= trace_->launches[launch].end_turn)
            launch = trace_->launch_of(at_);
        if (cell_stop_at(at_, launch) != nullptr) return Progress::found;
        if (!stop) continue;
        if (!stop->any_block && !is_shown(trace_->launches[launch], request_.focus_block, turn.block))
            continue;
        if (stop->condition && !is_near(at_)) return Progress::going_on;
        if (!stop->condition || lanes_that_stop(*stop, at_) != 0) return Progress::found;
        if (std::chrono::steady_clock::now() > deadline) {
            ++looked_at_;
            return Progress::going_on;
        }
    }
    return Progress::nothing;
}

// While a trace is still being played, its end cannot be reached.
bool BreakpointScan::is_near(std::uint64_t turn) {
    if (!replay_) replay_ = std::make_unique<trace::Replay>(trace_);
    return replay_->is_near(turn, turn + 1);
}

trace::Mask BreakpointScan::lanes_that_stop(const Stop& stop, std::uint64_t number) {
    const trace::Turn& turn = trace_->turns[number];
    if (!stop.condition) return turn.mask;
    if (!replay_) replay_ = std::make_unique<trace::Replay>(trace_);
    replay_->seek(request_.before ? number : number + 1);
    trace::Mask met = 0;
    const std::uint32_t launch = trace_->launch_of(number);
    for (trace::Mask rest = turn.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const execution::LaneScope scope(*trace_, *replay_, {launch, turn.block, turn.warp, lane, turn.pc});
        if (execution::is_true(stop.condition->evaluate(scope), scope)) met |= 1u << lane;
    }
    return met;
}

BreakHit BreakpointScan::hit(const trace::Step& step) {
    const trace::Turn& found = trace_->turns[at_];
    BreakHit hit{at_, found.block, found.line, false, {}, {}};
    hit.lanes.resize(trace_->launches[step.launch].warps_per_block());
    if (const CellStop* cell = cell_stop_at(at_, step.launch)) {
        hit.conditional = true;
        hit.cell = cell->name;
        for (std::uint64_t turn = step.first; turn < step.end; ++turn) {
            const trace::Turn& each = trace_->turns[turn];
            if (each.block == step.block && each.warp < hit.lanes.size())
                hit.lanes[each.warp] |= writers(*cell, turn, step.launch);
        }
        return hit;
    }
    const Stop* stop = stop_at(found);
    hit.conditional = stop && stop->condition.has_value();
    for (std::uint64_t turn = step.first; stop && turn < step.end; ++turn) {
        const trace::Turn& each = trace_->turns[turn];
        if (each.block != step.block || each.line != found.line || each.warp >= hit.lanes.size()) continue;
        hit.lanes[each.warp] |= lanes_that_stop(*stop, turn);
    }
    return hit;
}

std::vector<Breakpoint> after_edit(std::vector<Breakpoint> breakpoints, const std::string& before,
                                   const std::string& after) {
    const execution::SourceLines old_lines(before), new_lines(after);
    const std::size_t shorter = std::min(old_lines.count(), new_lines.count());
    const auto line = [](const execution::SourceLines& lines, std::size_t number) {
        return lines[static_cast<std::uint32_t>(number)];
    };
    std::size_t same_first = 0, same_last = 0;
    while (same_first < shorter && line(old_lines, same_first + 1) == line(new_lines, same_first + 1))
        ++same_first;
    while (same_last < shorter - same_first &&
           line(old_lines, old_lines.count() - same_last) == line(new_lines, new_lines.count() - same_last))
        ++same_last;
    for (Breakpoint& each : breakpoints)
        if (each.line > old_lines.count() - same_last)
            each.line = static_cast<std::uint32_t>(each.line + new_lines.count() - old_lines.count());
        else if (each.line > same_first && each.line > new_lines.count() - same_last)
            each.line = 0;  // its line is gone
    std::erase_if(breakpoints, [](const Breakpoint& each) { return each.line == 0 && each.cell.empty(); });
    const auto same_line = [](const Breakpoint& a, const Breakpoint& b) {
        return a.line == b.line && a.cell == b.cell;
    };
    breakpoints.erase(std::unique(breakpoints.begin(), breakpoints.end(), same_line), breakpoints.end());
    return breakpoints;
}

}  // namespace lanescope::session
