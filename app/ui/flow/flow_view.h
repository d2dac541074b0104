// The tab "Flow" beside the stage: one row for each phase, one column for each cell, and lines from the cells
// that a cell was computed from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "scene/flow/flow_figure.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class FlowView : public View {
  public:
    FlowView() : View("flow") {}

  protected:
    bool has_heading(const session::Session&) const override { return true; }
    void tools(Heading& heading, const session::Session& session, const WindowState& window,
               Requests& requests) override;
    ImU32 surface() const override { return theme().background; }
    void content(const Rect& inside, const session::Session& session, const WindowState& window,
                 Requests& requests) override;

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
    struct Place {  // of a cell
        std::uint32_t row = 0, column = 0;
        bool operator==(const Place&) const = default;
    };
    // Where rows and columns are, px in the panel's content.
    struct Grid {
        float left = 0, top = 0;    // of the first cell's middle
        float column = 0, row = 0;  // from one to the next
        float cell_width = 0, cell_height = 0;
    };

    void prepare(const session::Session& session, const WindowState& window);
    void take(std::shared_ptr<Made> made);
    void arrange(const Rect& inside, const WindowState& window);
    bool too_large() const;
    void place_tree();
    void navigate(const Rect& inside, const WindowState& window);
    float x_of(std::uint32_t row, std::uint32_t column) const;
    float y_of(std::uint32_t row) const { return grid_.top + float(row) * grid_.row; }
    Rect box_of(std::uint32_t row, std::uint32_t column) const;
    std::optional<std::uint32_t> current_row(const session::Session& session) const;

    void draw_rows(const Rect& inside, const session::Session& session, const WindowState& window) const;
    void draw_edges(const Rect& inside, const WindowState& window) const;
    void draw_cells(const Rect& inside, const WindowState& window) const;
    void draw_cell(ImDrawList* draw, std::uint32_t row, const scene::FlowCell& cell, bool written, bool lit,
                   const WindowState& window) const;
    static void draw_sign(ImDrawList* draw, const Rect& box, const char* sign, const WindowState& window);
    void draw_legend(const Rect& legend, const WindowState& window) const;
    ImU32 colour_of(const scene::FlowCell& cell, const WindowState& window) const;

    std::optional<Place> cell_at(const Rect& inside) const;
    void light_up(std::optional<Place> place);
    bool is_lit(std::uint32_t row, std::uint32_t column) const;
    std::string story(const Place& place) const;
    std::string work_words() const;

    Jobs jobs_;
    Wanted wanted_;
    std::shared_ptr<Made> made_;
    std::unique_ptr<analysis::Provenance> provenance_;
    std::vector<std::vector<float>> tree_x_;  // per row and column, in columns; negative: not placed
    FlowLayout placed_ = FlowLayout::rows;

    Grid grid_;
    float zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
    bool dragged_ = false, mixed_operators_ = false;
    std::optional<Place> hovered_;
    std::vector<std::vector<bool>> lit_;  // per row and column; empty: nothing is hovered
};

}  // namespace lanescope::ui
