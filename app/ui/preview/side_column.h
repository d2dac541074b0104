// A column of sections as it is filled from above: headings, rows, facts, words to click.
#pragma once

#include <string>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

class SideColumn {
  public:
    SideColumn(const Rect& area, const WindowState& window) : left_(area), window_(window) {}

    const WindowState& window() const { return window_; }
    const Rect& left() const { return left_; }  // what is not filled yet
    void skip(float px);                        // on the screen
    Rect section(const std::string& title);     // its heading's row
    Rect row(float height);                     // in the window's units
    void fact(const std::string& name, const std::string& value);
    // A word that can be clicked, ending at `right`.
    bool link(const char* id, const std::string& text, float right, const Rect& line) const;
    // Returns where the next line would stand.
    float small_lines(const std::vector<std::string>& lines, const Rect& box) const;

  private:
    Rect left_;
    const WindowState& window_;
};

// In a row, centred up and down: from `line.x`, or up to `right`.
void draw_name(const Rect& line, const std::string& text);
void draw_right(ImFont* font, const Rect& line, float right, ImU32 colour, const std::string& text);

}  // namespace lanescope::ui
