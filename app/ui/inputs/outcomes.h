// The outcomes of all schedules, each with its count; a click runs a schedule that leads to the outcome.
#pragma once

#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

// Below the schedule's row of the parameters stand a word that starts the search, the progress, then the
// outcomes.
float outcomes_height(const session::Session& session, const WindowState& window);
void draw_outcomes(const Rect& inside, const ViewContext& view);

// Returns "2 outcomes of 20 schedules" or "3 outcomes in a sample of 34".
std::string extent_words(const execution::Exploration& exploration);
// Returns "18 of 20": how many schedules or runs lead to the outcome.
std::string share_words(const execution::Exploration& exploration, const execution::Outcome& outcome);

}  // namespace lanescope::ui
