// The bar at the top: the program's name, the topic, and its lessons as tabs; at the right the engine of the
// run and its result.
#pragma once

#include <string>

#include "scene/words/run_time.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// The time of the run as this window shows it: pictures without a window have none, except a measured one in
// a lecture.
scene::RunTime shown_run_time(const ViewContext& view);

class TopBar : public View {
  public:
    TopBar() : View("##top") {}

  protected:
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    float chips(const Rect& inside, const ViewContext& view);  // returns their left end
    float words(const Rect& inside, float right, const WindowState& window, Requests& requests);
    void tabs(const Rect& room, const ViewContext& view);

    float scroll_ = 0;
    float shown_width_ = 0;  // width of the tabs when shown_ was scrolled into view
    std::string shown_;      // path of the lesson whose tab was scrolled into view
};

}  // namespace lanescope::ui
