// One timeline for two runs: the warps of both, their positions, and the controls that move both.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/jobs.h"
#include "scene/timeline/timeline_model.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

struct Comparison;

class CompareTimeline : public View {
  public:
    explicit CompareTimeline(Comparison& shown) : View("##compare timeline"), shown_(shown) {}

  protected:
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Part {  // the rows of one run
        std::shared_ptr<const TimelineModel> model;
        std::uint64_t generation = ~0ull;
        std::uint32_t block = 0;
        bool by_turn = false;
        struct Strip {
            float x = 0, width = 0;
            std::uint32_t row = 0;
            ImU32 colour = 0;
        };
        std::vector<Strip> strips;  // relative to the left end of the rows
        std::uint64_t version = ~0ull;
        float painted_width = 0;
        const TimelineModel* painted = nullptr;
    };

    void controls(const Rect& row, const WindowState& window);
    void prepare(Part& part, const session::Session& session, const WindowState& window, const char* tag);
    void paint(Part& part, bool first, float width, float gap);
    void draw_part(Part& part, bool first, const Rect& box, const WindowState& window);
    void draw_phases(const Rect& rows) const;
    void draw_playhead(const Rect& rows, const WindowState& window) const;
    void name_ticks(const Rect& rows) const;
    void handle_mouse(const Rect& rows, const WindowState& window);
    float x_of(double tick, const Rect& rows) const;

    Comparison& shown_;
    Jobs jobs_;
    Part a_, b_;
    bool scrubbing_ = false;
};

}  // namespace lanescope::ui
