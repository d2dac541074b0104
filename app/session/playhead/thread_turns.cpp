#include "session/playhead/thread_turns.h"

#include <algorithm>

namespace lanescope::session {

namespace {

std::size_t taken(const Playhead& playhead) {
    if (playhead.at_start() || !playhead.step_state()) return 0;
    return execution::turns_until(*playhead.run()->turn_log, playhead.step_state()->step.end);
}

}  // namespace

bool can_choose_turns(const execution::RunResult& run) {
    if (!run.trace || run.on_device() || run.trace->launches.empty()) return false;
    constexpr std::uint64_t max_threads = 32;  // a button for each
    return std::all_of(run.trace->launches.begin(), run.trace->launches.end(),
                       [&](const trace::Launch& launch) {
                           return launch.grid.count() * launch.block.count() <= max_threads;
                       });
}

std::vector<simt::ThreadTurns> turns_taken(const Playhead& playhead) {
    if (!playhead.run() || !playhead.run()->turn_log) return {};
    return execution::first_turns(*playhead.run()->turn_log, taken(playhead));
}

const execution::ThreadTurn* next_turn(const Playhead& playhead) {
    if (!playhead.run() || !playhead.run()->turn_log) return nullptr;
    const std::vector<execution::ThreadTurn>& turns = playhead.run()->turn_log->turns;
    const std::size_t count = taken(playhead);
    return count < turns.size() ? &turns[count] : nullptr;
}

}  // namespace lanescope::session
