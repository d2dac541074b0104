// The menu (F12) and the palette (Ctrl + P): lists from which mouse or keyboard choose.
#pragma once

#include <string>

#include "ui/actions/find.h"
#include "ui/kit/overlay.h"

namespace lanescope::ui {

class CommandList {
  public:
    // Draws the menu or the palette if it is open. A choice that can run closes it.
    void draw(const Place& place, Requests& requests);

  private:
    void draw_menu(const Place& place, Requests& requests);
    void draw_palette(const Place& place, Requests& requests);
    // Draws the rows in `area`. Returns the row chosen in this frame, or -1.
    int rows(const Rect& area, const std::vector<Choice>& choices, std::size_t visible,
             const WindowState& window);
    static void draw_row(const Rect& row, const Choice& choice, bool selected, const WindowState& window);

    std::string typed_;
    std::size_t selected_ = 0, first_ = 0;  // the selected row; the first visible row
    Dialog shown_ = Dialog::none;
};

}  // namespace lanescope::ui
