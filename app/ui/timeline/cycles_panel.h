// The timeline in estimated cycles: what the warps that are resident on one multiprocessor wait for, how busy
// its schedulers are, how many bytes are on their way to it.
#pragma once

#include <memory>
#include <string>

#include "base/jobs.h"
#include "render/texture.h"
#include "scene/timeline/cycles_model.h"
#include "ui/kit/view.h"
#include "ui/timeline/time_axis.h"

namespace lanescope::ui {

class CyclesPanel {
  public:
    void draw(const Rect& inside, const ViewContext& view);

  private:
    struct Frame;

    bool prepare(const ViewContext& view);
    float draw_head(const Rect& inside, const ViewContext& view) const;
    float draw_legend(const Rect& line, const WindowState& window) const;
    void handle_mouse(const Frame& frame);
    void paint(const Frame& frame);
    void draw_rows(const Frame& frame);
    void draw_intervals(const Frame& frame, std::size_t row) const;
    void draw_blocks(const Frame& frame) const;
    void draw_labels(const Frame& frame) const;
    void draw_issue(const Frame& frame, const Rect& band) const;
    void draw_flight(const Frame& frame, const Rect& band) const;
    void interact(const Frame& frame, const ViewContext& view) const;
    void go_to(const analysis::WarpInterval& interval, std::size_t row, const ViewContext& view) const;

    Jobs jobs_;
    std::shared_ptr<const session::ClockReading> reading_;  // the next ones are of it
    std::uint32_t launch_ = 0;
    double clock_ghz_ = 1;
    std::shared_ptr<const scene::CyclesModel> model_;
    std::string reason_;  // why there is none
    TimeAxis axis_;       // in cycles
    float scroll_ = 0;    // height of the rows above the upper edge, px

    struct Painted {  // the state that the texture shows
        const scene::CyclesModel* model = nullptr;
        double begin = 0, end = 0;
        int width = 0;
        Brightness brightness{};
        bool operator==(const Painted&) const = default;
    };
    render::Texture texture_;
    Painted painted_;
};

}  // namespace lanescope::ui
