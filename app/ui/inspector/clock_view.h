// The time on a GPU that is not there, as an estimate: how long, why, what would change it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/inspector/clock_sheet.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class ClockPanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

  private:
    struct Page;  // of one frame, drawn from above
    void prepare(const session::Session& session);
    void draw_head(Page& page) const;
    void draw_reasons(Page& page) const;
    void draw_limits(Page& page) const;
    void draw_lines(Page& page) const;
    void draw_what_if(Page& page) const;
    void draw_knob(Page& page, const scene::ClockKnob& knob) const;
    void draw_sweeps(Page& page) const;
    void draw_sweeping(Page& page) const;
    void draw_plot(Page& page, const scene::SweepPlot& plot) const;

    std::shared_ptr<const session::ClockReading> reading_;
    std::shared_ptr<const session::Timings> timings_, recording_;
    std::size_t launch_ = 0;
    bool current_ = false;  // the reading is that of the run that is shown
    scene::ClockSheet sheet_;
    std::string timed_;
    float scroll_ = 0;
};

}  // namespace lanescope::ui
