// The timeline by multiprocessor and real clock: where and when each block ran.
#pragma once

#include <memory>
#include <string>

#include "analysis/schedule.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class SchedulePanel {
  public:
    void draw(const Rect& inside, const session::Session& session, const WindowState& window,
              Requests& requests);

  private:
    struct Frame;

    void fit(const analysis::Schedule& schedule);
    void handle_mouse(const Frame& frame);
    void draw_block(const Frame& frame, const analysis::ScheduledBlock& block, const Rect& bar,
                    bool focused) const;
    void draw_rows(const Frame& frame, std::uint32_t focus) const;
    void draw_axis(const Frame& frame) const;
    const analysis::ScheduledBlock* block_under_mouse(const Frame& frame) const;

    const analysis::Schedule* shown_ = nullptr;  // the schedule for which the range was chosen
    double begin_ns_ = 0, end_ns_ = 1;           // the visible range
    float scroll_ = 0;                           // height of the rows above the upper edge, px
};

// Returns why there is no schedule for the launch, or an empty text if there is one.
std::string no_schedule_reason(const session::RunResult* run, std::uint32_t launch);
// Returns "132 SMs · 5,069 blocks, 16 at once on an SM · 2.4 waves · 84.2 µs", and a sentence about the tail.
std::string schedule_figures(const analysis::Schedule& schedule);
// Returns "840 ns", "84.2 µs" or "1.25 ms".
std::string duration_text(double ns);

}  // namespace lanescope::ui
