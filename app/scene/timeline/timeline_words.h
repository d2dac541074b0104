// The timeline in words.
#pragma once

#include <string>

#include "scene/timeline/timeline_model.h"

namespace lanescope::scene {

// One line for each warp with what it does in which steps, then one for each mark:
//
//   warp 0: run 1–4, write 5, barrier 6, run 9, finished from 12
//   barrier before step 7: stride 1
std::string timeline_words(const TimelineModel& model);

}  // namespace lanescope::scene
