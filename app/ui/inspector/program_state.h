// What the tabs of a program share: how its run ended, and its lines in the host's code.
#pragma once

#include <string>
#include <vector>

#include "program/run.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// Draws how far the recording of a launch is, why it failed, and how the program ended. Returns the height.
float draw_program_state(const Rect& row, const ViewContext& view);

// Shows a line of the host's code: in the source view if that holds the file, else as an excerpt below the
// panel.
class HostLine {
  public:
    // The file of the place may be the one that the source view shows, or any other.
    void show(const program::HostPlace& place, const session::Session& session, Requests& requests);
    void close() { lines_.clear(); }
    float height(const WindowState& window) const;
    void draw(const Rect& box, const WindowState& window) const;

  private:
    program::HostPlace place_;
    std::vector<std::string> lines_;  // around the line; empty: nothing is shown
    int first_ = 0;                   // the number of the first of them
};

}  // namespace lanescope::ui
