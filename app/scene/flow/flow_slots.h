// Where the columns of a figure stand: each in a slot of its own while there is room, else runs of columns
// fold into one slot. Kept are the columns that the result is made of, level by level, and the first ones.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "scene/flow/flow_figure.h"

namespace lanescope::scene {

// Columns side by side, counted from the figure's left edge.
struct FlowSlot {
    std::uint32_t first = 0, count = 1;
    bool folded() const { return count > 1; }
};

// What a row writes into a slot.
struct FlowItem {
    std::uint32_t slot = 0;
    std::uint32_t first_cell = 0, end_cell = 0;  // into the row's cells; several: of a fold
    std::uint32_t first_link = 0, end_link = 0;  // that end here
    bool used = false;                           // something at the end was made of one of the cells
};

// Edges between the same two slots of two rows are one link.
struct FlowLink {
    std::uint32_t from_row = 0, from_slot = 0;
    std::uint32_t to_row = 0, to_slot = 0;
    std::uint32_t edges = 1;
    bool copy = false;
};

// How wide the slots may be together, in a unit of the caller.
struct FlowRoom {
    float width = 0;
    std::vector<float> columns;  // the width of each, from the figure's left edge; empty: 1
    float fold = 1;

    float column(std::size_t at) const { return at < columns.size() ? columns[at] : 1; }
};

class FlowSlots {
  public:
    FlowSlots() = default;
    // The slots fit the room, except for folds with a column of `opened`, which stay open. `figure` outlives
    // this.
    FlowSlots(const FlowFigure& figure, const FlowRoom& room, const std::set<std::uint32_t>& opened = {});
    // Folds columns until at most `most` slots are left.
    FlowSlots(const FlowFigure& figure, std::uint32_t most, const std::set<std::uint32_t>& opened = {})
        : FlowSlots(figure, FlowRoom{static_cast<float>(most), {}, 1}, opened) {}

    const std::vector<FlowSlot>& slots() const { return slots_; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(slots_.size()); }
    bool folds() const { return slots_.size() < slot_of_.size(); }
    std::uint32_t slot_of(std::uint32_t row, std::uint32_t column) const;
    // The column of a row that stands in a slot without a fold; it may lie outside of the row.
    std::int64_t column_in(std::uint32_t row, std::uint32_t slot) const;
    const std::vector<FlowItem>& items(std::uint32_t row) const { return items_[row]; }
    const FlowItem* item(std::uint32_t row, std::uint32_t slot) const;
    const std::vector<FlowLink>& links() const { return links_; }
    std::uint32_t link_of(std::uint32_t edge) const { return link_of_[edge]; }
    // Returns how many rows down the longest link goes.
    std::uint32_t longest_link() const { return longest_link_; }

  private:
    void fold(const std::vector<bool>& kept);
    void place_cells();
    void join_edges();

    const FlowFigure* figure_ = nullptr;
    std::vector<FlowSlot> slots_;
    std::vector<std::uint32_t> slot_of_;  // by column from the left
    std::vector<std::vector<FlowItem>> items_;
    std::vector<FlowLink> links_;
    std::vector<std::uint32_t> link_of_;
    std::uint32_t longest_link_ = 1;
};

}  // namespace lanescope::scene
