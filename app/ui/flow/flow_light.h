// Which cells of a figure light up: what a cell was made of, back to the inputs, and what was made of it.
#pragma once

#include <optional>
#include <vector>

#include "ui/flow/flow_grid.h"

namespace lanescope::ui {

class FlowLight {
  public:
    void clear();
    // Nothing happens while the place stays the same.
    void light_up(const scene::FlowFigure& figure, const scene::FlowSlots& slots,
                  std::optional<FlowPlace> place);
    bool on() const { return !cells_.empty(); }
    bool cell(std::uint32_t row, std::uint32_t column) const {
        return row < cells_.size() && column < cells_[row].size() && cells_[row][column];
    }
    bool slot(std::uint32_t row, std::uint32_t slot) const {
        return row < slots_.size() && slots_[row][slot];
    }
    bool link(std::uint32_t link) const { return link < links_.size() && links_[link]; }
    bool edge(std::uint32_t edge) const { return edge < edges_.size() && edges_[edge]; }
    const std::optional<FlowPlace>& place() const { return place_; }

  private:
    using Places = std::vector<std::vector<bool>>;  // per row and column
    void back(const scene::FlowFigure& figure, FlowPlace from);
    void forward(const scene::FlowFigure& figure, FlowPlace from);

    std::optional<FlowPlace> place_;
    std::uint32_t slot_count_ = 0;
    Places cells_, slots_;
    std::vector<bool> edges_, links_;
};

}  // namespace lanescope::ui
