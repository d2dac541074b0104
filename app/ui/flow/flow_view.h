// The tab "Flow" beside the stage: one row for each phase, one column for each cell, and lines from the cells
// that a cell was computed from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "scene/flow/flow_figure.h"
#include "ui/flow/flow_grid.h"
#include "ui/flow/flow_light.h"
#include "ui/flow/flow_matrices.h"
#include "ui/kit/view.h"
#include "ui/stage/cell_menu.h"

namespace lanescope::ui {

class FlowView : public View {
  public:
    FlowView() : View("flow") {}

  protected:
    bool has_heading(const ViewContext&) const override { return true; }
    void tools(Heading& heading, const ViewContext& view) override;
    ImU32 surface() const override { return theme().background; }
    void content(const Rect& inside, const ViewContext& view) override;

  private:
    // What a job makes.
    struct Made {
        std::shared_ptr<const trace::Trace> trace;
        std::shared_ptr<const analysis::Flow> flow;
        std::vector<scene::FlowArray> arrays;
        std::shared_ptr<const scene::FlowFigure> figure;
    };
    struct Wanted {  // the figure is made for this
        std::uint64_t generation = ~0ull;
        std::uint32_t launch = ~0u, block = ~0u;
        std::string array;
        bool operator==(const Wanted&) const = default;
    };
    void prepare(const session::Session& session, const WindowState& window);
    void take(std::shared_ptr<Made> made);
    std::optional<std::uint32_t> current_row(const session::Session& session) const;
    void point(const Rect& area, const ViewContext& view);
    bool shows_matrices(const WindowState& window) const;
    void open_menu(const scene::FlowCell& cell, const session::Session& session);
    std::optional<FlowPlace> example(const session::Session& session,
                                     std::optional<std::uint32_t> current) const;

    Jobs jobs_;
    Wanted wanted_;
    std::shared_ptr<Made> made_;
    std::unique_ptr<analysis::Provenance> provenance_;
    FlowGrid grid_;
    FlowMatrices matrices_;
    FlowLight light_;
    CellMenu menu_;
};

}  // namespace lanescope::ui
