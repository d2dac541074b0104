// Places and draws the grids of a layout.
#pragma once

#include <optional>
#include <vector>

#include "scene/layout/layout_figure.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

// Where the grids of a figure are in a panel: those of one column below each other, all cells equally large.
class LayoutPlaces {
  public:
    void fit() { zoom_ = 1, pan_x_ = pan_y_ = 0; }
    void arrange(const scene::LayoutFigure& figure, const Rect& inside, const WindowState& window);
    void navigate(const WindowState& window);  // the mouse zooms and moves
    const scene::LayoutCell* cell_at(const scene::LayoutFigure& figure, ImVec2 mouse) const;
    void draw(const scene::LayoutFigure& figure, const WindowState& window) const;

  private:
    struct Place {
        Rect cells;        // px
        float margin = 0;  // of the names of rows, at their left
        float width = 0;   // of the title
    };
    float margin_of(const scene::LayoutGrid& grid, const WindowState& window) const;
    void stack(const scene::LayoutFigure& figure, const WindowState& window);
    void draw_names(const scene::LayoutGrid& grid, const Place& place, const WindowState& window) const;
    void draw_cells(const scene::LayoutGrid& grid, const Place& place, const WindowState& window) const;
    void draw_absent(const scene::LayoutGrid& grid, const Place& place) const;
    void draw_text_of(const scene::LayoutCell& cell, const Rect& box, ImU32 fill, bool quiet) const;
    Rect box_of(const Place& place, std::uint32_t row, std::uint32_t column) const;

    Rect inside_;
    std::vector<Place> places_;  // by grid
    float cell_width_ = 1, cell_height_ = 1, width_ = 0, height_ = 0;
    float zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
};

}  // namespace lanescope::ui
