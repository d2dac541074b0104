// Keys of the lecture, the tour and of "predict, then reveal".
#pragma once

#include "ui/actions/keys.h"

namespace lanescope::ui {

// True when the press was one of them: nothing else shall hear it.
bool lecture_key(const KeyPress& press, const session::Session& session, WindowState& shared,
                 session::Commands& commands);

}  // namespace lanescope::ui
