// What the stage shows, prepared once per step and geometry: arrays, their visible values, marks and arrows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "scene/stage/last_shared.h"
#include "scene/stage/stage_arrows.h"
#include "scene/stage/stage_cells.h"
#include "scene/stage/stage_flow.h"
#include "scene/stage/stage_layout.h"
#include "scene/stage/stage_overlays.h"
#include "scene/stage/stage_scales.h"
#include "session/session.h"

namespace lanescope::scene {

// Composes the parts of the stage. Each part says in its update() whether it has changed.
class StageModel {
  public:
    // Prepares what is not up to date. False: there is nothing to show. `wait`: waits for what a job
    // prepares.
    bool update(const session::Session& session, const LayoutFrame& frame, CellLabel label,
                RealFormat reals = RealFormat::decimal, bool wait = false);
    bool preparing() const {
        return last_shared_.preparing() || flow_.preparing() || overlays_.preparing();
    }                                                         // a job is at work; update() takes its result
    bool shows_reals() const { return scales_.any_reals(); }  // some array holds real numbers

    // Shows only the arrays of these names; empty: all. Call it before the first update().
    void show_only(std::vector<std::string> names) { only_ = std::move(names); }
    // The columns of shared arrays are banks. Call it before the first update().
    void show_banks() { banks_ = true; }
    void colour_by(CellColour wanted) { colour_ = wanted; }
    bool shows_origins() const { return flow_.shows_origins(); }  // the colour of each cell is its origin
    const OriginIndex* origins() const { return flow_.origins().get(); }  // null: not known

    // Whether everything would be in sight in this frame, with `lanes` lanes of the block, and matrices as
    // large as in the usual layout.
    bool fits(const LayoutFrame& frame, unsigned lanes, const StageLayout& usual) const;
    StageLayout layout_in(const LayoutFrame& frame) const {
        return make_layout(arrays_, scales_.hints(), frame);
    }
    bool run_changed() const { return run_changed_; }  // by the last update()

    const std::vector<StageArray>& arrays() const { return arrays_; }
    const StageLayout& layout() const { return layout_; }
    const std::vector<ShownArray>& shown() const { return shown_; }
    const StepScene& scene() const { return scene_; }
    const ArrowSet& arrows() const { return arrows_; }
    bool one_warp_bright() const { return one_warp_bright_; }  // cells of other warps are dimmed
    bool step_changed() const { return step_changed_; }        // by the last update()

    bool in_clusters() const { return in_clusters_; }  // steps can reach the shared memory of other blocks

    const StageOverlays& overlays() const { return overlays_; }
    // What a cell is linked with at the session's position; null while it is not known.
    const LinkedCells* linked(const session::Session& session, const CellRef& cell);

    // Moves to the rows of a large array above or below those that are shown.
    void page(std::uint32_t array, int pages);

    // Full text of a cell at the session's position: "8", "3 → 8", "3 → ?" while results are hidden.
    std::string cell_value(const session::Session& session, const CellRef& cell) const;
    std::optional<std::uint32_t> find(const std::string& symbol) const;  // into arrays()

  private:
    // What was prepared last: an update() with the same values has nothing to do.
    struct BlockKey {
        std::uint64_t generation = 0;
        std::uint32_t launch = 0, block = 0;
        bool operator==(const BlockKey&) const = default;
    };
    struct StepKey {
        std::size_t index = 0, instruction = 0;
        std::uint64_t first_turn = 0, end_turn = 0;
        bool operator==(const StepKey&) const = default;
    };
    struct Look {
        LayoutFrame frame;
        CellLabel label = CellLabel::value;
        std::uint32_t focus_thread = 0;
        bool concealed = false, stands_before = false;
        bool operator==(const Look&) const = default;
    };

    void follow_run(const session::Session& session, const trace::Step& step, bool wait);
    void load_arrays(const session::Session& session, const session::StepState& step_state);
    bool follow_step(const session::Session& session, const session::StepState& step_state);
    bool follow_overlays(const session::Session& session, const trace::Step& step, bool wait);
    void lay_out();
    void read_values(const session::Session& session, const session::StepState& step_state);
    void make_arrows_that_have_room();

    std::vector<std::string> only_;
    bool banks_ = false;
    CellColour colour_ = CellColour::automatic;

    std::optional<BlockKey> block_;  // empty: nothing is shown
    StepKey step_;
    Look look_;
    bool step_changed_ = false, run_changed_ = false;

    std::vector<StageArray> arrays_;
    std::optional<analysis::TurnFlow> turn_flow_;  // of the run's program
    StageFlow flow_{jobs_};
    LastShared last_shared_{jobs_};
    StageOverlays overlays_;
    StageScales scales_;
    StepScene scene_;
    StageLayout layout_;
    std::vector<ShownArray> shown_;
    ArrowSet arrows_;
    std::vector<analysis::AsyncCopy> copies_;  // of the block
    bool one_warp_bright_ = false, in_clusters_ = false;
    Jobs jobs_;  // last, so that its jobs end before the members that they fill
};

}  // namespace lanescope::scene
