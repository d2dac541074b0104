// The guided tour of a few places of the window, in under a minute.
#pragma once

#include <filesystem>
#include <span>

#include "ui/kit/layout.h"
#include "ui/kit/view.h"
#include "ui/state/requests.h"

namespace lanescope::ui {

// A step of a lesson, so that the tour has something to show.
struct TourScene {
    const char* topic;
    const char* lesson;  // its name
    const char* code;    // of the step's line
};
struct TourStop {
    Panel panel;  // the highlighted panel
    const char* title;
    const char* text;
    TourScene scene;
    InspectorTab tab = InspectorTab::automatic;  // the tab that comes forward
};
std::span<const TourStop> tour_stops();

class Tour {
  public:
    // Opens the stop's lesson at its step and brings the stop's tab forward. Ends the tour after the last
    // stop, and opens the file again that was open before it. An edited file, a trace and a program stay.
    // Call it before a frame.
    void follow(const session::Session& session, WindowState& window, session::Commands& commands);
    // Dims everything outside the stop's panel and draws the card with the text. Does nothing without a tour.
    static void draw(const Layout& layout, const WindowState& window, Requests& requests);

  private:
    void show(const TourScene& scene, const session::Session& session, session::Commands& commands);

    int stop_ = -1;                // in the last frame
    bool travels_ = false;         // it may open lessons
    std::filesystem::path home_;   // the file that was open before
    std::filesystem::path asked_;  // the lesson that it opened last
    int placed_ = -1;              // the stop whose step was shown
};

}  // namespace lanescope::ui
