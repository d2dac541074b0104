// The guided tour: a few places of the window, one after the other, in under a minute.
#pragma once

#include <span>

#include "ui/kit/layout.h"
#include "ui/kit/view.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

struct TourStop {
    Panel panel;  // that is set off from the rest
    const char* title;
    const char* text;
    InspectorTab tab = InspectorTab::automatic;  // that comes forward
};
std::span<const TourStop> tour_stops();

class Tour {
  public:
    // Before a frame: brings the stop's tab forward; past the last stop the tour ends.
    void follow(WindowState& window);
    // Dims all but the stop's panel and draws the card with the text. Does nothing while there is no tour.
    static void draw(const Layout& layout, const WindowState& window, Requests& requests);

  private:
    int stop_ = -1;  // of the last frame
};

}  // namespace lanescope::ui
