// Who goes next: the schedules that the lesson names, and a button for every thread that can take the next
// turn.
#pragma once

#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

// Under the schedule's row of the parameters; 0 where there is nothing to choose.
float turn_chooser_height(const session::Session& session, const WindowState& window, float width);
void draw_turn_chooser(const Rect& inside, const session::Session& session, const WindowState& window,
                       Requests& requests);

// "0 0 1", in a grid of several blocks "0.0 0.0 1.5" (block.thread); the last ones, with … in front, when
// there are more than `most`.
std::string turns_words(const std::vector<simt::ThreadTurns>& turns, bool blocks, std::size_t most);
// Without the last turn.
std::vector<simt::ThreadTurns> undone(std::vector<simt::ThreadTurns> turns);

}  // namespace lanescope::ui
