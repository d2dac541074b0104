// The guided tour: a few places of the window, one after the other, in under a minute.
#pragma once

#include <span>

#include "ui/layout.h"
#include "ui/view.h"

namespace lanescope::ui {

struct TourStop {
    Panel panel;  // that is set off from the rest
    const char* title;
    const char* text;
    InspectorTab tab = InspectorTab::automatic;  // that comes forward
};
std::span<const TourStop> tour_stops();

void start_tour(Shared& shared);            // closes what covers the panels
void move_tour(Shared& shared, int stops);  // past the last stop it ends
void end_tour(Shared& shared);

// Dims all but the stop's panel and draws the card with the text. Does nothing while there is no tour.
void draw_tour(const Layout& layout, Shared& shared);

}  // namespace lanescope::ui
