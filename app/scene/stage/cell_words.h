// A cell of the stage in words.
#pragma once

#include <string>

#include "scene/stage/stage_model.h"

namespace lanescope::scene {

// "s[4] = 12", where the cell is, and on further lines which threads read and write it in this step.
std::string cell_story(const StageModel& model, const session::Session& session, const CellRef& cell);

// What the step does in this thread of the block, or in the first thread that takes part if this one does
// not: "t4 reads s[8] = 7, s[10] = 3 · writes s[8]: 7 → 10". Empty if the step accesses no memory that others
// see.
std::string thread_story(const session::Session& session, std::uint32_t thread);

}  // namespace lanescope::scene
