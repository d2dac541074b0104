#include "session/lane_explanation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::session {
namespace {

using trace::LaneInfo;
using trace::LaneStatus;
using trace::warp_size;
using Lanes = std::array<LaneInfo, warp_size>;

std::string lanes_word(int count) {
    return count == 1 ? "1 lane" : std::to_string(count) + " lanes";
}

// "3", "0, 2", "1 to 7": ascending numbers; at most three are listed.
std::string listed(const std::vector<std::uint32_t>& numbers) {
    if (numbers.size() > 2 && numbers.back() - numbers.front() + 1 == numbers.size())
        return std::to_string(numbers.front()) + " to " + std::to_string(numbers.back());
    std::string text;
    for (std::size_t i = 0; i < numbers.size() && i < 3; ++i)
        text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + (numbers.size() > 3 ? " and " + std::to_string(numbers.size() - 3) + " more" : "");
}

std::string on_line(const LaneInfo& lane, const char* before) {
    return lane.line ? before + std::string("line ") + std::to_string(lane.line) : std::string();
}

bool waits_on(const LaneInfo& lane, LaneStatus where) {
    return lane.status != where && lane.status != LaneStatus::finished && lane.status != LaneStatus::absent;
}

// The lane's last turn up to the current step, inclusive.
std::optional<std::uint64_t> last_turn(const Session& session, std::uint32_t warp, std::uint32_t lane) {
    if (session.playhead().replay() == nullptr) return std::nullopt;
    const trace::TurnIndex* index = &session.playhead().replay()->turns();
    const StepState& step_state = *session.playhead().step_state();
    const auto& turns = index->turns(step_state.step.launch, step_state.step.block, warp);
    auto at = std::lower_bound(turns.begin(), turns.end(), step_state.step.end);
    while (at != turns.begin())
        if (session.trace()->turns[*--at].mask >> lane & 1) return *at;
    return std::nullopt;
}

// " since step 12": numbers as the window shows them, from 1.
std::string since(const Session& session, std::uint32_t warp, std::uint32_t lane, const char* before) {
    const auto turn = last_turn(session, warp, lane);
    return turn ? before + std::to_string(trace::step_at(session.playhead().steps(), *turn) + 1)
                : std::string();
}

// The lanes and warps that a lane at a block's barrier waits for; "" when all have arrived.
std::string awaited_at_barrier(const StepState& step_state, std::uint32_t own_warp) {
    std::vector<std::uint32_t> warps;
    std::vector<std::uint32_t> own_lanes;
    for (std::uint32_t warp = 0; warp < step_state.warps.size(); ++warp)
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
            if (!waits_on(step_state.warps[warp][lane], LaneStatus::at_barrier)) continue;
            if (warp == own_warp)
                own_lanes.push_back(lane);
            else if (warps.empty() || warps.back() != warp)
                warps.push_back(warp);
        }
    std::string text;
    if (!own_lanes.empty())
        text = (own_lanes.size() == 1 ? "lane " : "lanes ") + listed(own_lanes) + " of its own warp";
    if (!warps.empty())
        text += (text.empty() ? "" : " and ") + std::string(warps.size() == 1 ? "warp " : "warps ") +
                listed(warps);
    return text;
}

std::string awaited_in_warp(const Lanes& lanes) {
    std::vector<std::uint32_t> missing;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane)
        if (waits_on(lanes[lane], LaneStatus::at_warp_sync)) missing.push_back(lane);
    if (missing.empty()) return {};
    return (missing.size() == 1 ? "lane " : "lanes ") + listed(missing) + " of its warp";
}

bool block_started(const StepState& step_state) {
    return std::any_of(step_state.warps.begin(), step_state.warps.end(), [](const Lanes& lanes) {
        return std::any_of(lanes.begin(), lanes.end(), [](const LaneInfo& lane) {
            return lane.status != LaneStatus::unstarted && lane.status != LaneStatus::absent;
        });
    });
}

std::string unstarted_words(const Session& session, std::uint32_t warp, const LaneInfo& lane) {
    const StepState& step_state = *session.playhead().step_state();
    if (!block_started(step_state)) return "has not started: its block has not started";
    if (lane.line == 0) return "never runs: the launch ended before its first turn";
    const bool warp_runs =
        std::any_of(step_state.warps[warp].begin(), step_state.warps[warp].end(), [](const LaneInfo& other) {
            return other.status != LaneStatus::unstarted && other.status != LaneStatus::absent;
        });
    return warp_runs ? "has not started: other lanes of its warp run first"
                     : "has not started: its warp has had no turn yet";
}

// The problem that stopped the lane, as the Problems tab names its kind; one problem stands for all threads
// on its line.
std::string fault_words(const Session& session, const LaneInfo& lane) {
    std::string text = "was stopped" + on_line(lane, " at ");
    if (!session.run()) return text;
    for (const trace::Problem& problem : session.run()->problems)
        for (const trace::ProblemSite* site : {&problem.first, &problem.second})
            if (!problem.note && site->block == session.playhead().step_state()->step.block &&
                site->line == lane.line) {
                std::string kind = trace::to_text(problem.kind);
                std::replace(kind.begin(), kind.end(), '_', ' ');
                return text + " by a problem: " + kind;
            }
    return text + " by a problem";
}

// What a lane that ran in this step did, and how its turn ended.
std::string active_words(const Session& session, std::uint32_t warp, std::uint32_t number) {
    const LaneInfo& lane = session.playhead().step_state()->warps[warp][number];
    if ((session.playhead().step_state()->acted[warp] >> number & 1) == 0)
        return "only evaluates the condition" + on_line(lane, " on ") + " in this step";
    const std::string text = "runs" + on_line(lane, " ") + " in this step";
    const auto turn = last_turn(session, warp, number);
    if (!turn) return text;
    switch (session.trace()->turns[*turn].end) {
        case trace::TurnEnd::fault:
            return fault_words(session, lane);
        case trace::TurnEnd::exited:
            return text + " and leaves the kernel";
        case trace::TurnEnd::barrier:
            return text + " and reaches the barrier";
        default:
            return text;
    }
}

std::string words(const Session& session, std::uint32_t warp, std::uint32_t number) {
    const StepState& step_state = *session.playhead().step_state();
    const LaneInfo& lane = step_state.warps[warp][number];
    std::string whom;
    switch (lane.status) {
        case LaneStatus::absent:
            return "does not exist: the block has " + std::to_string(step_state.launch->block.count()) +
                   " threads";
        case LaneStatus::unstarted:
            return unstarted_words(session, warp, lane);
        case LaneStatus::active:
            return active_words(session, warp, number);
        case LaneStatus::ready:
            return "is ready to go on" + on_line(lane, " at ") + ": another warp runs in this step";
        case LaneStatus::diverged:
            if (lane.split_line)
                return "waits for line " + std::to_string(lane.line) + ": the branch on line " +
                       std::to_string(lane.split_line) + " split this warp";
            return "waits to go on" + on_line(lane, " at ") + ": other lanes of its warp run first";
        case LaneStatus::at_barrier:
            whom = awaited_at_barrier(step_state, warp);
            return "is at the barrier" + on_line(lane, " of ") +
                   since(session, warp, number, " since step ") +
                   (whom.empty() ? ": all threads have arrived, it opens next" : ", waits for " + whom);
        case LaneStatus::at_warp_sync:
            whom = awaited_in_warp(step_state.warps[warp]);
            return "is at a warp synchronisation" + on_line(lane, " on ") +
                   since(session, warp, number, " since step ") +
                   (whom.empty() ? ": all lanes have arrived, it goes on next" : ", waits for " + whom);
        case LaneStatus::finished:
            return "left the kernel" + on_line(lane, " at ") + since(session, warp, number, " in step ");
        case LaneStatus::faulted:
            return fault_words(session, lane);
    }
    return {};
}

// What a group of lanes of one warp does: `who` is "3 lanes", "all lanes".
std::string group_words(LaneStatus status, std::uint32_t line, std::uint32_t split_line,
                        const std::string& who, bool one) {
    const std::string at = std::to_string(line);
    switch (status) {
        case LaneStatus::diverged:
            return who + (one ? " waits" : " wait") + " for line " + at +
                   (split_line ? ": the branch on line " + std::to_string(split_line) + " split this warp"
                               : "");
        case LaneStatus::at_barrier:
            return who + (one ? " waits" : " wait") + " at the barrier on line " + at;
        case LaneStatus::at_warp_sync:
            return who + (one ? " waits" : " wait") + " for other lanes on line " + at;
        case LaneStatus::finished:
            return who + (one ? " has finished" : " have finished");
        case LaneStatus::unstarted:
            return who + (one ? " has not started" : " have not started");
        case LaneStatus::faulted:
            return who + (one ? " was" : " were") + " stopped by a problem";
        case LaneStatus::ready:
            return line ? who + (one ? " goes" : " go") + " on at line " + at : std::string();
        case LaneStatus::active:
        case LaneStatus::absent:
            break;
    }
    return {};
}

}  // namespace

std::string lane_explanation(const Session& session, std::uint32_t warp, std::uint32_t lane) {
    const StepState* step_state = session.playhead().step_state();
    if (step_state == nullptr || warp >= step_state->warps.size() || lane >= warp_size) return {};
    return "t" + std::to_string(warp * warp_size + lane) + " " + words(session, warp, lane);
}

std::string warp_words(const Session& session, std::uint32_t warp) {
    const StepState* step_state = session.playhead().step_state();
    if (step_state == nullptr || warp >= step_state->warps.size()) return {};
    struct Group {
        int lanes = 0;
        std::uint32_t split_line = 0;
    };
    std::map<std::pair<LaneStatus, std::uint32_t>, Group> groups;
    int present = 0, evaluate = 0;
    for (unsigned number = 0; number < warp_size; ++number) {
        const LaneInfo& lane = step_state->warps[warp][number];
        if (lane.status == LaneStatus::absent) continue;
        ++present;
        if (lane.status == LaneStatus::active && (step_state->acted[warp] >> number & 1) == 0) ++evaluate;
        const bool placed = lane.status == LaneStatus::diverged || lane.status == LaneStatus::at_barrier ||
                            lane.status == LaneStatus::at_warp_sync || lane.status == LaneStatus::ready;
        Group& group = groups[{lane.status, placed ? lane.line : 0}];
        ++group.lanes;
        group.split_line = lane.split_line;
    }
    std::string text;
    if (evaluate > 0)
        text =
            lanes_word(evaluate) + (evaluate == 1 ? " only evaluates" : " only evaluate") + " the condition";
    for (const auto& [key, group] : groups) {
        const std::string who = group.lanes == present ? "all lanes" : lanes_word(group.lanes);
        const std::string sentence =
            group_words(key.first, key.second, group.split_line, who, group.lanes == 1 && present != 1);
        if (!sentence.empty()) text += (text.empty() ? "" : " · ") + sentence;
    }
    return text;
}

}  // namespace lanescope::session
