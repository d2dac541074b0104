// Name, topic, the topic's lessons as tabs; at the right which engine made what is shown, and how the run
// ended.
#pragma once

#include <string>

#include "ui/kit/view.h"

namespace lanescope::ui {

class TopBar : public View {
  public:
    // `wants_preview` becomes true when the preview of image convolutions is asked for.
    explicit TopBar(bool& wants_preview) : View("##top"), wants_preview_(wants_preview) {}

  protected:
    void content(const Rect& inside, const session::Session& session, WindowState& shared,
                 session::Commands& commands) override;

  private:
    float chips(const Rect& inside, const session::Session& session, WindowState& shared,
                session::Commands& commands);  // returns their left end
    float words(const Rect& inside, float right, WindowState& shared);
    void tabs(const Rect& room, const session::Session& session, const WindowState& shared,
              session::Commands& commands);

    bool& wants_preview_;
    float scroll_ = 0;
    float shown_width_ = 0;  // of the tabs, and
    std::string shown_;      // path whose tab was scrolled into view
};

}  // namespace lanescope::ui
