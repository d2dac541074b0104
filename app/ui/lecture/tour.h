// The guided tour of a few places of the window, in under a minute.
#pragma once

#include <span>

#include "ui/kit/layout.h"
#include "ui/kit/view.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

struct TourStop {
    Panel panel;  // the highlighted panel
    const char* title;
    const char* text;
    InspectorTab tab = InspectorTab::automatic;  // the tab that comes forward
};
std::span<const TourStop> tour_stops();

class Tour {
  public:
    // Brings the stop's tab forward, and ends the tour after the last stop. Call it before a frame.
    void follow(WindowState& window);
    // Dims everything outside the stop's panel and draws the card with the text. Does nothing without a tour.
    static void draw(const Layout& layout, const WindowState& window, Requests& requests);

  private:
    int stop_ = -1;  // in the last frame
};

}  // namespace lanescope::ui
