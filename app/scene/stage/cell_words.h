// A cell of the stage in words.
#pragma once

#include <string>

#include "scene/stage/stage_model.h"

namespace lanescope::scene {

// "s[4] = 12", where the cell is, and on further lines which threads read and write it in this step.
std::string cell_story(const StageModel& model, const session::Session& session, const CellRef& cell);

}  // namespace lanescope::scene
