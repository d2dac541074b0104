// The timeline by multiprocessor and real clock: which block ran where and when.
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

    const analysis::Schedule* shown_ = nullptr;  // for which the range was chosen
    double begin_ns_ = 0, end_ns_ = 1;           // what is seen of it
    float scroll_ = 0;                           // px of rows above the upper edge
};

// Why there is none for this run; empty when there is one for the launch.
std::string no_schedule_reason(const session::RunResult* run, std::uint32_t launch);
// "132 SMs · 16 blocks on an SM at once · 2.4 waves · 84.2 µs · tail 12 % of the time, 31 % of the SMs idle
// in it"
std::string schedule_figures(const analysis::Schedule& schedule);
// "840 ns", "84.2 µs", "1.25 ms"
std::string duration_text(double ns);

}  // namespace lanescope::ui
