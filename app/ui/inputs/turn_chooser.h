// The choice of turns: the schedules that the lesson names, and a button for every thread that can take the
// next turn.
#pragma once

#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

// Returns the height below the schedule's row of the parameters; 0 if there is nothing to choose.
float turn_chooser_height(const session::Session& session, const WindowState& window, float width);
void draw_turn_chooser(const Rect& inside, const ViewContext& view);

// Returns "0 0 1" or, in a grid of several blocks, "0.0 0.0 1.5" (block.thread). If there are more than
// `most` turns, returns … and the last ones.
std::string turns_words(const std::vector<simt::ThreadTurns>& turns, bool blocks, std::size_t most);
// Returns the turns without the last one.
std::vector<simt::ThreadTurns> undone(std::vector<simt::ThreadTurns> turns);

}  // namespace lanescope::ui
