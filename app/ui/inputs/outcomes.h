// What trying all schedules found: each outcome with its count; a click runs a schedule that leads to it.
#pragma once

#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

// Under the schedule's row of the parameters: a word to start it, progress, then the outcomes.
float outcomes_height(const session::Session& session, const WindowState& window);
void draw_outcomes(const Rect& inside, const session::Session& session, const WindowState& window,
                   Requests& requests);

// "2 outcomes of 20 schedules", "3 outcomes in a sample of 34"
std::string extent_words(const session::Exploration& exploration);
// "18 of 20", "34"
std::string share_words(const session::Exploration& exploration, const session::Outcome& outcome);

}  // namespace lanescope::ui
