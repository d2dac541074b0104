#include "dap/stack.h"

#include <algorithm>
#include <bit>

#include "scene/words/block_words.h"

namespace lanescope::dap {

namespace {

constexpr std::uint64_t most_turns_back = 100'000;  // to the line of a call

// The first turn of this step in which the lane runs; null: it waits.
const trace::Turn* turn_in_step(const session::Session& session, const LanePick& pick) {
    const trace::Step& step = session.playhead().step_state()->step;
    for (std::uint64_t turn = step.first; turn < step.end; ++turn) {
        const trace::Turn& each = session.trace()->turns[turn];
        if (each.block == step.block && each.warp == pick.warp && (each.mask >> pick.lane & 1)) return &each;
    }
    return nullptr;
}

// Where the lane was in the frame at this depth when it called the next one; 0: too long ago.
std::uint32_t call_line(const session::Session& session, const LanePick& pick, int depth) {
    const trace::Step& step = session.playhead().step_state()->step;
    const std::vector<std::uint64_t>& turns =
        session.playhead().replay()->turns().turns(step.launch, step.block, pick.warp);
    auto at = std::lower_bound(turns.begin(), turns.end(), step.end);
    for (std::uint64_t looked = 0; at != turns.begin() && looked < most_turns_back; ++looked) {
        const trace::Turn& turn = session.trace()->turns[*--at];
        if ((turn.mask >> pick.lane & 1) && turn.depth <= depth) return turn.depth == depth ? turn.line : 0;
    }
    return 0;
}

}  // namespace

std::int64_t thread_id(const session::Session& session, std::uint32_t warp) {
    const session::StepState& now = *session.playhead().step_state();
    return std::int64_t{now.step.block} * now.launch->warps_per_block() + warp + 1;
}

std::optional<std::uint32_t> warp_of(const session::Session& session, std::int64_t thread) {
    const session::StepState& now = *session.playhead().step_state();
    const std::int64_t warp = thread - 1 - std::int64_t{now.step.block} * now.launch->warps_per_block();
    if (warp < 0 || warp >= std::int64_t{now.launch->warps_per_block()}) return std::nullopt;
    return static_cast<std::uint32_t>(warp);
}

std::string warp_name(const session::Session& session, std::uint32_t warp) {
    const session::StepState& now = *session.playhead().step_state();
    const auto& lanes = now.warps[warp];
    const auto count = [&](auto&& is) { return std::count_if(lanes.begin(), lanes.end(), is); };
    using enum trace::LaneStatus;
    const auto all = count([](const trace::LaneInfo& lane) { return lane.status != absent; });
    const auto on = count([](const trace::LaneInfo& lane) { return lane.status == active; });
    const auto ended = count([](const trace::LaneInfo& lane) { return lane.status == finished; });
    const std::string name =
        "block " + scene::block_name(now.launch->grid, now.step.block) + " · warp " + std::to_string(warp);
    if (on == 0 && ended == all) return name + " · finished";
    return name + " · " + std::to_string(on) + " of " + std::to_string(all) + " lanes on";
}

bool runs(const session::Session& session, std::uint32_t warp) {
    const auto& lanes = session.playhead().step_state()->warps[warp];
    return std::any_of(lanes.begin(), lanes.end(),
                       [](const trace::LaneInfo& lane) { return lane.status == trace::LaneStatus::active; });
}

std::uint32_t lane_of(const session::Session& session, std::uint32_t warp) {
    const auto& lanes = session.playhead().step_state()->warps[warp];
    const session::Selection& pinned = session.selection();
    if (pinned.warp == warp && lanes[pinned.lane].status != trace::LaneStatus::absent) return pinned.lane;
    for (std::uint32_t lane = 0; lane < trace::warp_size; ++lane)
        if (lanes[lane].status == trace::LaneStatus::active) return lane;
    return 0;
}

std::uint32_t warp_of_step(const session::Session& session) {
    const session::StepState& now = *session.playhead().step_state();
    const std::uint32_t pinned = session.selection().warp;
    if (pinned < now.warps.size() && runs(session, pinned)) return pinned;
    for (std::uint32_t warp = 0; warp < now.warps.size(); ++warp)
        if (runs(session, warp)) return warp;
    return 0;
}

std::vector<Frame> frames_of(const session::Session& session, std::uint32_t warp) {
    const session::StepState& now = *session.playhead().step_state();
    const trace::Program& program = session.trace()->program;
    const LanePick pick{warp, lane_of(session, warp)};
    const trace::LaneInfo& info = now.warps[warp][pick.lane];
    std::vector<std::uint32_t> functions = session.playhead().replay()->frames(
        now.step.launch, now.step.block, warp * trace::warp_size + pick.lane);
    const auto recorded = static_cast<int>(functions.size());
    const trace::Turn* turn = turn_in_step(session, pick);
    // Before its first line, the call is not yet among the frames of the state before the step.
    if (turn && turn->pc < program.code_rows.size() && functions.size() <= turn->depth)
        functions.push_back(program.code_rows[turn->pc].function);
    std::vector<Frame> frames;
    int rows = recorded - static_cast<int>(functions.size());
    for (int depth = static_cast<int>(functions.size()) - 1; depth >= 0; --depth) {
        const std::uint32_t number = functions[static_cast<std::size_t>(depth)];
        if (number >= program.functions.size()) continue;
        if (!program.functions[number].user_code && depth > 0) continue;
        Frame frame{pick, program.functions[number].name};
        frame.pick.frame = frames.size();
        frame.pick.rows = rows++;
        if (frames.empty()) {
            frame.line = turn ? turn->line : info.line;
            frame.pc = turn ? turn->pc : info.pc;
        } else {
            frame.line = call_line(session, pick, depth);
        }
        frames.push_back(std::move(frame));
    }
    if (frames.empty()) {
        const bool ended = info.status == trace::LaneStatus::finished;
        frames.push_back({pick, now.launch->kernel + (ended ? " (finished)" : " (has not run yet)")});
        frames.back().pick.rows = -1;
    }
    return frames;
}

}  // namespace lanescope::dap
