// The lecturer's pointer, a dot with a fading trail, and the spotlight, a circle outside of which all is
// dimmed.
#pragma once

#include <imgui.h>

#include <deque>

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

}  // namespace lanescope::ui
