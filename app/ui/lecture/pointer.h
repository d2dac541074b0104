// The lecturer's pointer, a dot with a fading trail; the spotlight, a circle outside of which all is dimmed;
// and the pen, whose lines stay on the picture until they are wiped off.
#pragma once

#include <imgui.h>

#include <deque>
#include <vector>

#include "ui/kit/view.h"

namespace lanescope::ui {

class Pointer {
  public:
    // Draws over everything else. Returns whether the trail still fades, so that the next frame is needed.
    bool draw(const WindowState& window);

  private:
    struct Place {
        ImVec2 at;
        double time_s = 0;
    };
    void follow(ImVec2 mouse, double now_s);
    void draw_trail(ImDrawList* draw, const WindowState& window) const;

    std::deque<Place> trail_;  // oldest place first
};

class Pen {
  public:
    // Takes the mouse in `paper`, in which it draws, and draws all lines over everything else.
    void draw(const Rect& paper, const WindowState& window);

  private:
    void take_mouse(const Rect& paper);

    std::vector<std::vector<ImVec2>> lines_;  // shares of the window's size, so that they stay in place
    bool down_ = false;
};

}  // namespace lanescope::ui
