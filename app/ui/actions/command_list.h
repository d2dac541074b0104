// The menu (F12) and the palette (Ctrl + P): lists of actions, chosen with the mouse or the keyboard.
#pragma once

#include <string>

#include "ui/actions/actions.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

class CommandList {
  public:
    // Draws the dialog that is open, if it is one of these. What is chosen closes it.
    void draw(const session::Session& session, WindowState& shared, session::Commands& commands);

  private:
    void draw_menu(const session::Session& session, WindowState& shared, session::Commands& commands);
    void draw_palette(const session::Session& session, WindowState& shared, session::Commands& commands);
    // Rows at `area`; returns the one that was chosen now, or -1.
    int rows(const Rect& area, const std::vector<Action>& actions, std::size_t visible,
             const WindowState& shared);
    void choose(const Action& action, WindowState& shared, session::Commands& commands);

    std::string typed_;
    std::size_t selected_ = 0, first_ = 0;  // of the rows; the first that is seen
    Dialog shown_ = Dialog::none;
};

}  // namespace lanescope::ui
