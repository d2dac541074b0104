// A column of sections, filled from the top: headings, rows, facts, links.
#pragma once

#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

class SideColumn {
  public:
    SideColumn(const Rect& area, const WindowState& window) : left_(area), window_(window) {}

    const WindowState& window() const { return window_; }
    const Rect& left() const { return left_; }  // the part that is still free
    void skip(float px);                        // in screen pixels
    Rect section(const std::string& title);     // returns the heading's row
    Rect row(float height);                     // in the window's units
    void fact(const std::string& name, const std::string& value);
    // Draws a link that ends at `right`. Returns whether it was clicked.
    bool link(const char* id, const std::string& text, float right, const Rect& line) const;
    // Draws the lines. Returns the top of the next line.
    float small_lines(const std::vector<std::string>& lines, const Rect& box) const;

  private:
    Rect left_;
    const WindowState& window_;
};

// Draw one line, vertically centred in the row: from `line.x` on, or up to `right`.
void draw_name(const Rect& line, const std::string& text);
void draw_right(ImFont* font, const Rect& line, float right, ImU32 colour, const std::string& text);

}  // namespace lanescope::ui
