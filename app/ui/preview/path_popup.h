// An input for a file's path that floats over a panel while this object lives.
#pragma once

#include <array>
#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

using TypedPath = std::array<char, 1024>;

class PathPopup {
  public:
    // ImGui::OpenPopup(id) opens the popup, Esc closes it. `width` of the input, in the window's units.
    PathPopup(const char* id, float width, const WindowState& window);
    ~PathPopup();
    PathPopup(const PathPopup&) = delete;
    PathPopup& operator=(const PathPopup&) = delete;

    bool open() const { return open_; }
    bool appears() const;  // this frame is the popup's first
    // Draws `words` over the input. Returns whether the user entered the path in this frame.
    bool typed(const char* id, const std::string& words, TypedPath& path);
    void finish(bool done);  // closes the popup, or focuses the input again

  private:
    bool open_;
    float width_px_;
};

}  // namespace lanescope::ui
