// Choosing thread by thread who goes next: the run is repeated with one more turn, and the position stays at
// its end.
#include <algorithm>

#include "session/state.h"

namespace lanescope::session {

void Session::State::choose_turns(std::vector<simt::ThreadTurns> turns) {
    std::uint64_t count = 0;
    for (const simt::ThreadTurns& each : turns)
        count += each.count;
    schedule.kind = simt::Schedule::Kind::threads;
    schedule.turns = std::move(turns);
    chosen = count;
    if (granularity > trace::Granularity::line) granularity = trace::Granularity::line;  // a turn is a step
    on_gpu = false;  // a GPU's threads go as they like
    start_run();
}

// After a run: to the end of the turns that were chosen, in the block whose thread took the last one.
void Session::State::go_to_chosen() {
    if (!chosen || !run->turn_log) return;
    const std::uint64_t count = std::min<std::uint64_t>(*chosen, run->turn_log->turns.size());
    chosen.reset();
    playing = false;
    if (count == 0) {
        show_start();
        return;
    }
    const ThreadTurn& last = run->turn_log->turns[count - 1];
    if (last.block != selection.block && shows(last.block)) focus_block(last.block);
    if (last.end > 0) seek(trace::step_at(steps, last.end - 1));
    selection.warp = last.thread / trace::warp_size;
    selection.lane = last.thread % trace::warp_size;
}

// The state before anybody has gone: a step without turns.
void Session::State::show_start() {
    seek(0);
    if (!step_state) return;
    before_first_turn = true;
    concealed = false;
    step_state->step.end = step_state->step.first;
    step_state->step.line = 0;
    step_state->details =
        replay->details(step_state->step.first, step_state->step.end, step_state->step.block);
    step_state->pcs.clear();
    step_state->metrics = {};
    for (unsigned warp = 0; warp < step_state->warps.size(); ++warp)
        step_state->warps[warp] =
            replay->lanes(step_state->step.launch, step_state->step.block, warp, step_state->step.first);
}

bool Session::at_start() const {
    return state_->before_first_turn;
}

std::size_t Session::State::taken() const {
    if (before_first_turn || !step_state) return 0;
    return turns_until(*run->turn_log, step_state->step.end);
}

bool Session::can_choose_turns() const {
    const State& s = *state_;
    if (!s.run || !s.run->trace || s.run->on_device() || s.run->trace->launches.empty()) return false;
    constexpr std::uint64_t most_threads = 32;  // a button for each
    return std::all_of(s.run->trace->launches.begin(), s.run->trace->launches.end(),
                       [&](const trace::Launch& launch) {
                           return launch.grid.count() * launch.block.count() <= most_threads;
                       });
}

std::vector<simt::ThreadTurns> Session::turns_taken() const {
    const State& s = *state_;
    if (!s.run || !s.run->turn_log) return {};
    return first_turns(*s.run->turn_log, s.taken());
}

const ThreadTurn* Session::next_turn() const {
    const State& s = *state_;
    if (!s.run || !s.run->turn_log) return nullptr;
    const std::size_t taken = s.taken();
    return taken < s.run->turn_log->turns.size() ? &s.run->turn_log->turns[taken] : nullptr;
}

}  // namespace lanescope::session
