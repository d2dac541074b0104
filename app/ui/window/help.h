// What lies over the panels: the progress of a run, the keys, the glossary, the explanation of a term.
#pragma once

#include "scene/words/glossary.h"
#include "ui/kit/view.h"
#include "ui/kit/widgets.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

void draw_progress(const session::Session& session, const WindowState& window, Requests& requests);
void draw_help(const WindowState& window, Requests& requests);  // keys and glossary

// Explains the term under the mouse when the mouse rests on it.
class TermHover {
  public:
    // Call it last in a frame. Returns whether another frame is needed, because the mouse rests but not yet
    // for long enough.
    bool draw(const WindowState& window);

  private:
    static const Term* term_at(const HoveredText& here);
    const Term* term_ = nullptr;
    std::string cut_;  // the whole of a text of which only the start is in sight
    double since_s_ = 0;
    bool clicked_ = false;  // what was clicked shows something: a hint would cover it
};

}  // namespace lanescope::ui
