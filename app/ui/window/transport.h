// The bar for stepping and playing: buttons, step size, speed, the position in the run.
#pragma once

#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

class Transport : public View {
  public:
    Transport() : View("##transport") {}

  protected:
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    enum class Button : std::uint8_t { first, stop_back, back, play, forward, stop_forward, last };
    bool button(Button which, const Rect& box, bool playing, bool enabled, const WindowState& window);
    float buttons(const Rect& inside, const ViewContext& view);
    float rows_choice(float x, float y, const WindowState& window, Requests& requests);
    float choices(float x, const Rect& inside, const ViewContext& view);
};

}  // namespace lanescope::ui
