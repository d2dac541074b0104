// The lecturer's own window while a second one shows the lecture to the audience: the audience's picture in
// small, on which the mouse points and draws, the note of this step and of the next one that has one, and the
// clock.
#pragma once

#include <optional>
#include <string>

#include "ui/kit/imgui_layer.h"
#include "ui/lecture/notes.h"

namespace lanescope::ui {

struct AudiencePicture {
    unsigned texture = 0;  // OpenGL's name; its first row is the lowest
    render::Extent size;
};

class Presenter {
  public:
    // Draws everything above the transport bar. `notes` are those of the session's file.
    void draw(const Rect& area, const AudiencePicture& picture, const Notes& notes, const ViewContext& view);
    // The mouse over the picture, in the audience's pixels.
    const std::optional<SyntheticInput>& hand() const { return hand_; }
    // A lecture's clock begins with its window.
    void start(double now_s) { started_s_ = now_s; }

  private:
    float draw_mirror(const Rect& room, const AudiencePicture& picture, const WindowState& window);
    static void draw_note(const Rect& room, const Notes& notes, const ViewContext& view);
    void draw_script(const Rect& room, const Notes& notes, const ViewContext& view) const;

    std::optional<SyntheticInput> hand_;
    double started_s_ = 0;
};

}  // namespace lanescope::ui
