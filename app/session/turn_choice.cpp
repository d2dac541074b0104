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
    if (!moment) return;
    before_first_turn = true;
    concealed = false;
    moment->step.end = moment->step.first;
    moment->step.line = 0;
    moment->details = replay->details(moment->step.first, moment->step.end, moment->step.block);
    moment->pcs.clear();
    moment->metrics = {};
    for (unsigned warp = 0; warp < moment->warps.size(); ++warp)
        moment->warps[warp] =
            replay->lanes(moment->step.launch, moment->step.block, warp, moment->step.first);
}

bool Session::at_start() const {
    return state_->before_first_turn;
}

std::size_t Session::State::taken() const {
    if (before_first_turn || !moment) return 0;
    return turns_until(*run->turn_log, moment->step.end);
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
