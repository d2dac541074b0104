// Chooses the engine: the CPU machine, this machine's GPU, or a GPU elsewhere.
#pragma once

#include <string>

#include "ui/kit/overlay.h"

namespace lanescope::ui {

class EngineDialog {
  public:
    // `gpu`: the name of the GPU that ran last; may be empty.
    void draw(const session::Session& session, const WindowState& window, const std::string& gpu,
              Requests& requests);

  private:
    void choices(const Rect& area, const session::Session& session, const WindowState& window,
                 const std::string& gpu, Requests& requests);
    void elsewhere(const Rect& row, const ViewContext& view);

    bool open_ = false;
    std::string typed_;    // the place of a GPU elsewhere
    std::string problem_;  // of what was typed
};

}  // namespace lanescope::ui
