// The timeline: a row of steps for every warp of the focus block, with barriers, launches and the share of
// lanes that are on.
#pragma once

#include <cstdint>
#include <memory>

#include "base/jobs.h"
#include "render/texture.h"
#include "scene/timeline/timeline_model.h"
#include "ui/kit/view.h"
#include "ui/timeline/cycles_panel.h"
#include "ui/timeline/schedule_panel.h"

namespace lanescope::ui {

class TimelineView : public View {
  public:
    TimelineView() : View("##timeline") {}

    // 0: the usual height is enough for its rows.
    float wanted_height(const session::Session& session, const WindowState& window,
                        float width) const override;

  protected:
    bool separated() const override { return false; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Frame;

    void prepare(const session::Session& session, const WindowState& window);
    void handle_mouse(const Frame& frame, const session::Session& session, Requests& requests);
    void follow(const session::Session& session);
    void clamp_range();
    void seek(const Frame& frame, const session::Session& session, Requests& requests) const;
    void say_what_is_there(const Frame& frame) const;
    void name_steps(const Frame& frame) const;

    void draw_rows(const Frame& frame);
    void draw_row_cells(const Frame& frame, const TimelineRow& row, const Rect& band) const;
    void paint_rows(const Frame& frame);
    void draw_row_painted(const Frame& frame, std::size_t row, const Rect& band) const;
    void draw_row_labels(const Frame& frame) const;
    void draw_marks(const Frame& frame) const;
    void draw_problems(const Frame& frame, const session::Session& session) const;
    void draw_notes(const Frame& frame) const;
    void draw_lanes_on(const Frame& frame) const;
    enum class Curve : std::uint8_t { average, span };
    void draw_curve(const Frame& frame, double column_steps, Curve curve) const;
    void draw_playhead(const Frame& frame, const session::Session& session) const;

    Jobs jobs_;
    std::shared_ptr<const TimelineModel> model_;
    std::uint64_t generation_ = ~0ull;
    std::uint32_t block_ = 0;
    bool by_turn_ = false, counted_ = false;
    double begin_ = 0, end_ = 1;  // the visible steps
    std::size_t followed_ = 0;
    bool scrubbing_ = false;

    struct Painted {  // the state that the texture shows
        const TimelineModel* model = nullptr;
        double begin = 0, end = 0;
        int width = 0;
        bool operator==(const Painted&) const = default;
    };
    SchedulePanel by_multiprocessor_;
    CyclesPanel by_cycle_;
    render::Texture texture_;
    Painted painted_;
};

}  // namespace lanescope::ui
