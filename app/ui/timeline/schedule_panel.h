// The timeline by multiprocessor and real clock: where and when each block ran.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/schedule.h"
#include "session/schedules/recorded_schedules.h"
#include "ui/kit/view.h"
#include "ui/timeline/time_axis.h"

namespace lanescope::ui {

class SchedulePanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

    bool has_many_rows() const;  // multiprocessors with recorded blocks, in what was drawn last

  private:
    struct Frame;

    void choose(const session::Session& session, std::uint32_t launch);
    void fit(const analysis::Schedule& schedule);
    void draw_reason(const Rect& inside, const WindowState& window) const;
    float draw_figures(const Rect& inside, float left, const WindowState& window) const;
    void handle_mouse(const Frame& frame);
    void draw_block(const Frame& frame, const analysis::ScheduledBlock& block, const Rect& bar,
                    bool focused) const;
    void draw_rows(const Frame& frame, std::uint32_t focus) const;
    void draw_axis(const Frame& frame) const;
    const analysis::ScheduledBlock* block_under_mouse(const Frame& frame) const;

    bool read_ = false;                                           // the recording was looked for
    std::shared_ptr<const session::RecordedSchedules> recorded_;  // null: there is none
    std::string unreadable_;                                      // why it cannot be read
    session::ShownSchedule chosen_;                               // of the next two
    std::uint64_t generation_ = ~std::uint64_t{0};
    std::uint32_t launch_ = 0;
    std::vector<analysis::ScheduledSm> rows_;  // of chosen_: also the SMs without a recorded block

    const analysis::Schedule* shown_ = nullptr;  // the schedule for which the range was chosen
    TimeAxis axis_;                              // in ns
    float scroll_ = 0;                           // height of the rows above the upper edge, px
};

// Returns a row for each multiprocessor: first those with recorded blocks, then the others, each ascending.
std::vector<analysis::ScheduledSm> schedule_rows(const session::ShownSchedule& shown);
// Returns "132 SMs · 5,069 blocks, 16 at once on an SM · 2.4 waves · 84.2 µs", and a sentence about the tail.
// What follows from all blocks of the grid is left out where some were not recorded.
std::string schedule_figures(const analysis::Schedule& schedule);
// Returns "840 ns", "84.2 µs" or "1.25 ms".
std::string duration_text(double ns);

}  // namespace lanescope::ui
