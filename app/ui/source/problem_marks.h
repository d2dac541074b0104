// A click on the mark of a problem goes where it happened.
#pragma once

#include "scene/words/problem_words.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// Goes to the step of the site and pins its lane; nothing when it was not recorded.
void jump_to(const trace::ProblemSite& site, Requests& requests);

}  // namespace lanescope::ui
