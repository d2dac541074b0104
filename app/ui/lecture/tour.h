// The guided tour: a few places of the window, one after the other, in under a minute.
#pragma once

#include <span>

#include "ui/kit/layout.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

struct TourStop {
    Panel panel;  // that is set off from the rest
    const char* title;
    const char* text;
    InspectorTab tab = InspectorTab::automatic;  // that comes forward
};
std::span<const TourStop> tour_stops();

void start_tour(WindowState& shared);            // closes what covers the panels
void move_tour(WindowState& shared, int stops);  // past the last stop it ends
void end_tour(WindowState& shared);

// Dims all but the stop's panel and draws the card with the text. Does nothing while there is no tour.
void draw_tour(const Layout& layout, WindowState& shared);

}  // namespace lanescope::ui
