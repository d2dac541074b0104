// What lies over the panels: a question that waits for an answer, and that an older run is shown.
#pragma once

#include "ui/layout.h"
#include "ui/overlay.h"

namespace lanescope::ui {

void draw_question(const session::Session& session, Shared& shared, session::Commands& commands);
// While the newest attempt failed: what the last good run shows is dimmed, and says what it is.
void draw_last_good(const Layout& layout, const session::Session& session, const Shared& shared);

}  // namespace lanescope::ui
