// Where the rows and columns of a figure of the flow are on the screen: layout, zoom, what folds.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "scene/flow/flow_slots.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

struct FlowPlace {  // of a cell
    std::uint32_t row = 0, column = 0;
    bool operator==(const FlowPlace&) const = default;
};

class FlowGrid {
  public:
    void show(std::shared_ptr<const scene::FlowFigure> figure);
    void fit();  // all of it, with what folds closed
    void open_fold(std::uint32_t slot);
    // `current`: the row of the session's step; once it changes it comes into sight.
    void arrange(const Rect& inside, const WindowState& window, std::optional<std::uint32_t> current);
    void navigate(const WindowState& window);  // the wheel and drags
    bool dragged() const { return dragged_; }

    const scene::FlowFigure& figure() const { return *figure_; }
    const scene::FlowSlots& slots() const { return slots_; }
    FlowLayout layout() const { return layout_; }
    Rect rows_area() const { return inside_; }   // everything
    Rect cells_area() const { return cells_; }   // right of the titles, below the numbers
    float titles_px() const { return titles_; }  // room for the titles of the rows
    float column_px() const { return column_; }  // from one column to the next, where all are equally wide
    float slot_px(std::uint32_t slot) const { return (edges_[slot + 1] - edges_[slot]) * column_; }
    bool equal_slots() const { return equal_; }
    float row_px() const { return row_; }
    float cell_width() const { return cell_width_; }
    float cell_height() const { return cell_height_; }
    float x_of(std::uint32_t row, std::uint32_t slot) const;
    float y_of(std::uint32_t row) const { return top_ + float(row) * row_; }
    Rect box_of(std::uint32_t row, std::uint32_t slot) const;
    float content_height() const { return row_ * float(figure_->rows.size()); }
    float scroll() const { return -pan_y_; }
    // Rows in sight: [first, end).
    std::uint32_t first_row() const;
    std::uint32_t end_row() const;
    // Slots in sight of rows that lie in columns: [first, end).
    std::uint32_t first_slot() const;
    std::uint32_t end_slot() const;

    std::optional<FlowPlace> cell_at(ImVec2 mouse) const;  // one that has a value
    std::optional<std::uint32_t> fold_at(ImVec2 mouse) const;

  private:
    void choose_slots(float width, const WindowState& window);
    void place_slots(float needed, const scene::FlowRoom& room);
    scene::FlowRoom narrow_room(float width, const WindowState& window) const;
    void place_tree();
    float needed_column(const WindowState& window) const;
    float middle(std::uint32_t slot) const {
        return slot + 1 < edges_.size() ? (edges_[slot] + edges_[slot + 1]) / 2 : 0;
    }
    std::uint32_t slot_below(float x) const;  // of the place x in the window; count() if it is right of all
    std::optional<std::uint32_t> row_at(ImVec2 mouse) const;
    std::optional<std::uint32_t> slot_at(std::uint32_t row, ImVec2 mouse) const;

    std::shared_ptr<const scene::FlowFigure> figure_;
    scene::FlowSlots slots_;
    std::uint32_t room_ = 0;  // the slots that were asked for
    bool all_ = false, equal_ = true;
    float narrow_px_ = 0;       // the room of slots that are not equally wide
    std::vector<float> edges_;  // of the slots, in columns
    std::size_t longest_text_ = 0;
    std::vector<std::size_t> longest_texts_;  // by column from the figure's left edge
    std::set<std::uint32_t> opened_;          // columns of folds that are open
    std::vector<std::vector<float>> tree_x_;  // per row and slot, in columns; negative: not placed
    FlowLayout layout_ = FlowLayout::rows;
    std::optional<std::uint32_t> followed_;

    Rect inside_, cells_;
    float titles_ = 0;
    float left_ = 0, top_ = 0;  // of the first cell's middle
    float column_ = 1, row_ = 1, cell_width_ = 1, cell_height_ = 1;
    float zoom_ = 1, least_zoom_ = 1, pan_x_ = 0, pan_y_ = 0;
    bool dragged_ = false;
};

}  // namespace lanescope::ui
