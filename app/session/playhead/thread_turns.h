// Choosing thread by thread which one goes next: the run is repeated with one more turn.
#pragma once

#include <vector>

#include "session/playhead/playhead.h"

namespace lanescope::session {

// Whether the grids are small enough for a button for each thread.
bool can_choose_turns(const RunResult& run);
// Of a run by single threads: its turns up to the playhead's position; none at its start.
std::vector<simt::ThreadTurns> turns_taken(const Playhead& playhead);
// Every thread of the grid that runs next, after those turns; null when there is no such run or it has ended.
const ThreadTurn* next_turn(const Playhead& playhead);

}  // namespace lanescope::session
