// What is drawn over the cells of the stage beside the step: the footprint of the block and of one thread,
// and the cells that a hovered cell is linked with. Prepared when the block, the thread or the cell changes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/jobs.h"
#include "scene/stage/cell_uses.h"
#include "scene/stage/footprint.h"
#include "scene/stage/linked_cells.h"

namespace lanescope::scene {

class StageOverlays {
  public:
    // Another block, launch or run, or another index; it may be null.
    void begin(std::shared_ptr<const OriginIndex> index, const std::vector<StageArray>& arrays,
               const trace::Step& place);
    // Finds out which values of the block's arrays are not read again.
    void follow_uses(std::shared_ptr<const trace::Trace> trace, const std::vector<StageArray>& arrays,
                     const trace::Step& place);
    // Call this in each frame. `wait`: waits for the jobs. Returns whether uses() or block() changed.
    bool update(const trace::Step& step, std::uint32_t thread, bool wait);
    bool preparing() const { return jobs_.busy(block_job) || jobs_.busy(uses_job); }
    const std::shared_ptr<const OriginIndex>& index() const { return index_; }
    const CellUses* uses() const { return uses_.get(); }  // null: not known

    const BlockFootprint& block() const { return block_; }
    // The cells from which the thread's output is made; none in arrays of which it reads all that the block
    // reads. Ascending.
    const std::vector<CellRef>& thread_cells() const { return thread_cells_; }
    // Links of a cell at the position; null while it is not known.
    const LinkedCells* linked(const std::optional<CellRef>& cell, const trace::Step& step,
                              std::uint64_t position);

  private:
    void show_thread(const trace::Step& step, std::uint32_t thread);
    void find_thread_cells(const trace::Step& step);

    static constexpr const char* block_job = "footprint";
    static constexpr const char* uses_job = "uses";
    std::shared_ptr<const CellUses> uses_;
    bool arrived_ = false;
    std::shared_ptr<const OriginIndex> index_;
    std::vector<StageArray> arrays_;
    BlockFootprint block_;
    std::optional<std::uint32_t> thread_;
    std::vector<const analysis::FlowWrite*> outputs_;  // of the thread
    std::uint64_t step_first_ = 0;
    std::vector<CellRef> thread_cells_;
    struct LinkedKey {
        CellRef cell;
        std::uint64_t position = 0;
        bool operator==(const LinkedKey&) const = default;
    };
    std::optional<LinkedKey> linked_key_;
    LinkedCells linked_;
    Jobs jobs_;  // last, so that its jobs end before the members that they fill
};

}  // namespace lanescope::scene
