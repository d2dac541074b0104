#include "analysis/ended_blocks.h"

#include <bit>
#include <string>

#include "trace/replay.h"

namespace lanescope::analysis {

void EndedBlocks::begin_launch(std::uint32_t launch) {
    launch_ = launch;
    open_.clear();
    by_line_.clear();
}

void EndedBlocks::note(std::uint32_t owner, ThreadId thread, const Access& access) {
    open_[owner][thread.warp][thread.lane] = access;
}

void EndedBlocks::exit(HappensBefore& order, std::uint32_t warp, trace::Mask lanes, std::uint32_t line,
                       bool ended) {
    const auto found = open_.find(order.block_of(warp));
    if (found == open_.end()) return;
    for (auto& [other, accesses] : found->second)
        for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
            Access& access = accesses[lane];
            for (trace::Mask rest = lanes; rest != 0 && access.time != 0; rest &= rest - 1) {
                const ThreadId last{warp, static_cast<std::uint8_t>(std::countr_zero(rest))};
                if (order.ordered({other, static_cast<std::uint8_t>(lane)}, access.time, last, false))
                    access.time = 0;
            }
            if (ended && access.time != 0) report(found->first, other, lane, access, warp, lanes, line);
        }
    if (ended) open_.erase(found);
}

void EndedBlocks::report(std::uint32_t owner, std::uint32_t warp, unsigned lane, const Access& access,
                         std::uint32_t exit_warp, trace::Mask exit_lanes, std::uint32_t exit_line) {
    const auto known = by_line_.find(access.line);
    if (known != by_line_.end()) {
        ++problems_[known->second].occurrences;
        return;
    }
    by_line_[access.line] = problems_.size();
    const std::uint32_t warps = trace_.launches[launch_].warps_per_block();
    const auto site = [&](std::uint32_t of_warp, unsigned of_lane, std::uint32_t line) {
        trace::ProblemSite made;
        made.launch = launch_;
        made.line = line;
        made.block = of_warp / warps;
        made.thread = of_warp % warps * trace::warp_size + of_lane;
        return made;
    };
    trace::Problem problem;
    problem.kind = trace::ProblemKind::out_of_bounds;
    problem.space = trace::Space::shared;
    const trace::Resolved place = trace::resolve(trace_, launch_, trace::Space::shared, access.offset);
    if (place.symbol != nullptr) problem.variable = place.symbol->name;
    problem.index = static_cast<std::int64_t>(place.index);
    problem.first = site(warp, lane, access.line);
    problem.first.turn = turn_of(access.time) - 1;
    problem.first.pc = access.pc;
    problem.first.access = access.kind;
    problem.first.has_access = true;
    problem.second = site(exit_warp, static_cast<unsigned>(std::countr_zero(exit_lanes)), exit_line);
    const std::string block = std::to_string(owner);
    const char* const reaches = access.kind == trace::AccessKind::load    ? " reads "
                                : access.kind == trace::AccessKind::store ? " writes "
                                                                          : " updates ";
    problem.message = "line " + std::to_string(access.line) + ": thread " +
                      std::to_string(problem.first.thread) + " of block " +
                      std::to_string(problem.first.block) + reaches + place.text + " of block " + block +
                      ", which may have ended by then: block " + block +
                      " does not wait for it (cluster.sync() before the end)";
    problems_.push_back(std::move(problem));
}

}  // namespace lanescope::analysis
