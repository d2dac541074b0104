// Asks before the host code of a program runs, and takes its arguments. Over the panels it offers to run a
// file that is a whole program.
#pragma once

#include <filesystem>
#include <string>

#include "ui/kit/overlay.h"

namespace lanescope::ui {

class ProgramDialog {
  public:
    void draw(const ViewContext& view);

  private:
    void offer(const ViewContext& view);
    void begin(const session::Session& session);
    void dialog(const ViewContext& view);
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
