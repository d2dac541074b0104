// How wide the cells of each array of the stage are, between which numbers their colours and bars lie, and
// which of their rows are in sight. Widths and ranges only grow from step to step, so that the picture does
// not jump to and fro.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scene/stage/footprint.h"
#include "scene/stage/last_shared.h"
#include "scene/stage/stage_cells.h"

namespace lanescope::scene {

class StageScales {
  public:
    // Another block, launch or run. `banks`: the columns of shared arrays are banks.
    void begin(const session::Session& session, std::span<const StageArray> arrays, bool banks);
    // Call this in each frame. Returns whether something changed.
    bool update(const session::Session& session, std::span<const StageArray> arrays, RealFormat reals,
                const LastShared& last, bool last_arrived);
    // Brings the step's marks into sight. Returns whether rows or columns moved.
    bool follow_marks(const StepScene& scene, const StageLayout& layout);
    // Moves to the rows above or below those that are shown.
    void page(const ArrayPlan& plan, int pages);
    void make_borders(std::span<const StageArray> arrays, const BlockFootprint& block);

    // The hints of the layout. Arrays that stand under each other have cells of one width.
    const std::vector<ArrayHint>& hints() const { return hints_; }
    void even_out(std::span<const StageArray> arrays);
    bool widen(std::span<const ShownArray> shown);  // returns whether some cells are wider now

    CellStyle style(const StageArray& array, std::size_t number) const;
    NumberRange& range(std::size_t array) { return ranges_[array]; }
    bool any_reals() const { return any_reals_; }  // some array holds real numbers

  private:
    void note_contents(const session::Session& session, const StageArray& array, std::size_t number);
    void include(const session::Session& session, std::span<const StageArray> arrays, const LastShared& last);

    std::vector<ArrayHint> hints_;
    std::vector<NumberRange> ranges_;
    RealFormat reals_ = RealFormat::decimal;
    bool any_reals_ = false;
    bool paged_ = false;
};

}  // namespace lanescope::scene
