// What lies over the panels: the progress of a run, the list of keys.
#pragma once

#include "ui/view.h"

namespace lanescope::ui {

// `busy_s`: how long the run has taken so far.
void draw_progress(const session::Session& session, double busy_s, const Shared& shared,
                   session::Commands& commands);
void draw_help(Shared& shared);

}  // namespace lanescope::ui
