// What lies over the panels: the progress of a run, the list of keys.
#pragma once

#include "ui/view.h"

namespace lanescope::ui {

void draw_progress(const session::Session& session, const Shared& shared, session::Commands& commands);
void draw_help(Shared& shared);

}  // namespace lanescope::ui
