// The menu (F12) and the palette (Ctrl + P): lists of choices, taken with the mouse or the keyboard.
#pragma once

#include <string>

#include "ui/actions/find.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

class CommandList {
  public:
    // Draws the dialog that is open, if it is one of these. What is chosen closes it.
    void draw(const Place& place, Requests& requests);

  private:
    void draw_menu(const Place& place, Requests& requests);
    void draw_palette(const Place& place, Requests& requests);
    // Rows at `area`; returns the one that was chosen now, or -1.
    int rows(const Rect& area, const std::vector<Choice>& choices, std::size_t visible,
             const WindowState& window);
    static void draw_row(const Rect& row, const Choice& choice, bool selected, const WindowState& window);

    std::string typed_;
    std::size_t selected_ = 0, first_ = 0;  // of the rows; the first that is seen
    Dialog shown_ = Dialog::none;
};

}  // namespace lanescope::ui
