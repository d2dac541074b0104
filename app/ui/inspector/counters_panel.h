// What the CPU machine counts beside what a GPU measured: in the tab Access, instead of the requests of the
// step.
#pragma once

#include <memory>
#include <string>

#include "scene/inspector/counter_table.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class CountersPanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);
    // Whether there are figures for the text that runs.
    bool has_figures(const session::Session& session);

  private:
    void prepare(const session::Session& session);
    float draw_head(Rect row, const WindowState& window, Requests& requests) const;
    float draw_lines(Rect row, float bottom, const WindowState& window) const;

    session::FileCounters found_;
    scene::CounterTable table_;
    std::shared_ptr<const session::Timings> measured_, counters_;  // which `found_` is from
    std::uint64_t generation_ = ~0ull;
    std::uint32_t launch_ = ~0u;
    float scroll_ = 0;
};

}  // namespace lanescope::ui
