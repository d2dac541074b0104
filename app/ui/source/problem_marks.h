// A click on the mark of a problem goes to the place of the problem.
#pragma once

#include "scene/words/problem_words.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// Goes to the step of the site and pins its lane. Does nothing if the site was not recorded.
void jump_to(const trace::ProblemSite& site, Requests& requests);

}  // namespace lanescope::ui
