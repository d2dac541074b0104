// Breakpoints in the source view: tags on line numbers, conditions behind the code, the menu of a line.
#pragma once

#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

const session::Breakpoint* breakpoint_on(const session::Session& session, std::uint32_t line);

// Returns "hit by t5" or "hit by t4, t12 and 6 more"; empty if the search did not stop on this line by a
// condition.
std::string hit_words(const session::Session& session, std::uint32_t line, std::size_t max_threads = 3);

// Draws the tag under a line's number; without a breakpoint a pale one while the mouse is there. Returns the
// number's colour, or 0 for the usual one.
ImU32 draw_breakpoint_tag(ImDrawList* draw, const Rect& number, const session::Breakpoint* breakpoint,
                          bool hovered, const WindowState& window);

class LineMenu {
  public:
    // Call open() and draw() in the same window and at the same place of its ID stack.
    void open(std::uint32_t line, const session::Session& session);
    void draw(const ViewContext& view);

  private:
    void draw_condition(const ViewContext& view);

    std::uint32_t line_ = 0;
    bool opened_ = false;  // the input for the condition gets the keyboard
    char condition_[256] = {};
};

}  // namespace lanescope::ui
