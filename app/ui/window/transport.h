// Stepping and playing: buttons, step size, speed, where the run is.
#pragma once

#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

class Transport : public View {
  public:
    Transport() : View("##transport") {}

  protected:
    void content(const Rect& inside, const session::Session& session, WindowState& shared,
                 session::Commands& commands) override;

  private:
    enum class Button : std::uint8_t { first, stop_back, back, play, forward, stop_forward, last };
    bool button(Button which, const Rect& box, bool playing, bool enabled, const WindowState& shared);
    float buttons(const Rect& inside, const session::Session& session, const WindowState& shared,
                  session::Commands& commands);
    float rows_choice(float x, float y, WindowState& shared);
    float choices(float x, const Rect& inside, const session::Session& session, WindowState& shared,
                  session::Commands& commands);
};

}  // namespace lanescope::ui
