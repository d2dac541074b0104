// The tab "Layout" beside the stage: which place, bank, lane or thread belongs to which element.
#pragma once

#include <memory>
#include <string>

#include "base/jobs.h"
#include "scene/layout/layout_figure.h"
#include "ui/kit/view.h"
#include "ui/layout/layout_draw.h"

namespace lanescope::ui {

class LayoutView : public View {
  public:
    LayoutView() : View("layout") {}

  protected:
    bool has_heading(const ViewContext&) const override { return true; }
    void tools(Heading& heading, const ViewContext& view) override;
    ImU32 surface() const override { return theme().background; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    struct Made {  // by a job
        std::uint32_t launch = 0;
        std::shared_ptr<const trace::Trace> trace;
        analysis::BlockLayouts layouts;
    };
    struct Wanted {
        std::uint64_t generation = ~0ull;
        std::uint32_t launch = ~0u, block = ~0u;
        bool operator==(const Wanted&) const = default;
    };
    struct Shown {  // the figure is of this
        std::uint64_t moves = ~0ull;
        const Made* made = nullptr;
        std::string array;
        scene::LayoutPart part{};
        std::uint32_t warp = ~0u;
        bool operator==(const Shown&) const = default;
    };
    void prepare(const session::Session& session, const WindowState& window);
    void make_figure(const session::Session& session, const WindowState& window);
    void point(const Rect& area, const ViewContext& view);

    Jobs jobs_;
    Wanted wanted_;
    std::shared_ptr<Made> made_;
    Shown shown_;
    scene::LayoutFigure figure_;
    LayoutPlaces places_;
};

}  // namespace lanescope::ui
