// A line for a file's name that floats over a panel, while this object lives.
#pragma once

#include <array>
#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

using TypedPath = std::array<char, 1024>;

class PathPopup {
  public:
    // Opened by ImGui::OpenPopup(id). `width`: of the line, in the window's units. Escape closes it.
    PathPopup(const char* id, float width, const WindowState& window);
    ~PathPopup();
    PathPopup(const PathPopup&) = delete;
    PathPopup& operator=(const PathPopup&) = delete;

    bool open() const { return open_; }
    bool appears() const;  // in this frame
    // `words` stand over the line. True when the path was entered.
    bool typed(const char* id, const std::string& words, TypedPath& path);
    void finish(bool done);  // closed, or typed in again

  private:
    bool open_;
    float width_px_;
};

}  // namespace lanescope::ui
