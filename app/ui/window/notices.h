// What lies over the panels: a question to the user, a save that failed, the reason why a key did nothing,
// and the mark of an older run.
#pragma once

#include "ui/kit/layout.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

void draw_question(const ViewContext& view);
// Says why a file was not saved, opened or edited.
void draw_file_problem(const session::Session& session, const WindowState& window);
// Dims and labels the views of the last good run if the newest attempt failed.
void draw_last_good(const Layout& layout, const session::Session& session, const WindowState& window);

// Shows for some seconds why a key did nothing.
void draw_notice(const WindowState& window);

}  // namespace lanescope::ui
