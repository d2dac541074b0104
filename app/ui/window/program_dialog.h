// Asks before the host code of a program runs, and takes its arguments. Over the panels it offers to run a
// file that is a whole program.
#pragma once

#include <filesystem>
#include <string>

#include "ui/kit/overlay.h"

namespace lanescope::ui {

class ProgramDialog {
  public:
    void draw(const session::Session& session, const WindowState& window, Requests& requests);

  private:
    void offer(const session::Session& session, const WindowState& window, Requests& requests);
    void begin(const session::Session& session);
    void dialog(const session::Session& session, const WindowState& window, Requests& requests);
    float facts(const Rect& room, const session::Session& session) const;
    float inputs(const Rect& row, const WindowState& window, bool& entered);
    void buttons(const Rect& row, bool entered, const WindowState& window, Requests& requests);

    bool open_ = false;
    std::string typed_;    // the arguments
    std::string refused_;  // why they cannot be used
    bool check_ = false;
    std::filesystem::path later_;  // the file for which the notice was closed
};

}  // namespace lanescope::ui
