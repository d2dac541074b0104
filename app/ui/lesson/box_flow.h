// Places the parts of a box on the lesson's page one below the other: texts, and rows of chips and inputs.
#pragma once

#include <string>
#include <vector>

#include "ui/kit/widgets.h"
#include "ui/lesson/markdown.h"

namespace lanescope::ui {

class BoxFlow {
  public:
    // Draws nothing, and hears no click, if `draw` is null; else it is the list of the current window.
    BoxFlow(ImDrawList* draw, ImVec2 at, float width, const WindowState& window)
        : draw_(draw), window_(window), at_(at), width_(width), y_(at.y) {}

    bool draws() const { return draw_ != nullptr; }
    ImDrawList* draw() const { return draw_; }
    const WindowState& window() const { return window_; }
    float left() const { return at_.x + indent_; }
    float right() const { return at_.x + width_; }
    float y() const { return y_; }
    float height() const { return y_ - at_.y; }

    void indent(float pixels) { indent_ += pixels; }
    void gap(float pixels) { y_ += pixels; }
    void markdown(const std::vector<Paragraph>& paragraphs, std::string* clicked);
    void text(ImFont* font, ImU32 colour, const std::string& text);  // wrapped
    // A mark in the margin of the line that follows; the margin is `mark_px` wide.
    void mark(const char* sign, ImU32 colour, float mark_px);

    // A row: its parts follow each other and wrap. Ends with end_row().
    bool chip(const std::string& label, const std::string& name, ImU32 colour = 0);
    void words(const std::string& text, ImU32 colour);  // one line
    Rect place(float width);                            // for a part that the caller draws
    void end_row();
    // Scrolls the window so far that what was placed since `top` is in sight, at least its beginning.
    void bring_into_sight(float top) const;

  private:
    ImDrawList* draw_;
    const WindowState& window_;
    ImVec2 at_;
    float width_, y_, indent_ = 0;
    float row_x_ = 0;  // from left(): where the next part of the row begins
    bool in_row_ = false;
};

}  // namespace lanescope::ui
