// Stepping and playing: buttons, step size, speed, where the run is.
#pragma once

#include <string>

#include "ui/view.h"

namespace lanescope::ui {

class Transport : public View {
  public:
    Transport() : View("##transport") {}

  protected:
    void content(const Rect& inside, const session::Session& session, Shared& shared,
                 session::Commands& commands) override;

  private:
    enum class Button : std::uint8_t { first, stop_back, back, play, forward, stop_forward, last };
    bool button(Button which, const Rect& box, bool playing, bool enabled, const Shared& shared);
    float buttons(const Rect& inside, const session::Session& session, const Shared& shared,
                  session::Commands& commands);
    float rows_choice(float x, float y, Shared& shared);
    float choices(float x, const Rect& inside, const session::Session& session, Shared& shared,
                  session::Commands& commands);
};

}  // namespace lanescope::ui
