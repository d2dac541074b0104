// Choosing the thread of each turn: the run is repeated with one more turn.
#pragma once

#include <vector>

#include "session/playhead/playhead.h"

namespace lanescope::session {

// Whether the grids are small enough for a button for each thread.
bool can_choose_turns(const execution::RunResult& run);
// Returns the turns of a run by single threads up to the playhead's position; none at its start.
std::vector<simt::ThreadTurns> turns_taken(const Playhead& playhead);
// Returns the turn after those, with the state of every thread of its grid; null when there is no such run or
// it has ended.
const execution::ThreadTurn* next_turn(const Playhead& playhead);

}  // namespace lanescope::session
