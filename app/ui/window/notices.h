// What lies over the panels: a question that waits for an answer, why a key did nothing, and that an older
// run is shown.
#pragma once

#include "ui/kit/layout.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

void draw_question(const session::Session& session, const WindowState& window, Requests& requests);
// While the newest attempt failed: what the last good run shows is dimmed, and says what it is.
void draw_last_good(const Layout& layout, const session::Session& session, const WindowState& window);

// Why a key did nothing, for some seconds.
void draw_notice(const WindowState& window);

}  // namespace lanescope::ui
