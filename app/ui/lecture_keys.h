// Keys of the lecture, the tour and of "predict, then reveal".
#pragma once

#include "ui/keys.h"

namespace lanescope::ui {

// True when the press was one of them: nothing else shall hear it.
bool lecture_key(const KeyPress& press, const session::Session& session, Shared& shared,
                 session::Commands& commands);

}  // namespace lanescope::ui
