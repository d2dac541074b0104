// What the stage shows, prepared once per step and geometry: arrays, their visible values, marks and arrows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/jobs.h"
#include "scene/stage/cell_origins.h"
#include "scene/stage/stage_arrows.h"
#include "scene/stage/stage_layout.h"
#include "scene/stage/stage_overlays.h"
#include "scene/words/cell_text.h"
#include "session/session.h"

namespace lanescope::scene {

// What is written into the cells.
enum class CellLabel : std::uint8_t { value, index, bank };

struct ShownCell {
    std::string text;
    std::string before;  // of a written cell: what it held before the step; empty: the same, or not set
    double number = 0;
    float share = -1;         // 0 … 1 of the array's range of numbers; negative: no number
    float before_share = -1;  // of a bar: before the step; negative: the step does not write it
    std::string gain;         // of a bar: "+3", what the step adds
    bool exists = false;      // false: past the array's end
    bool set = false;
    bool was_set = false;  // a written cell had a value before the step
    bool hidden = false;   // written in this step, and not revealed yet
    bool dimmed = false;   // in a step of many warps: touched only by other warps than the pinned one
    const CellMark* mark = nullptr;
    bool faded = false;  // no thread reads its value again
    CellOrigin origin;   // if the model shows origins
};

struct ShownArray {
    std::vector<ShownCell> cells;  // shown rows × shown columns
    bool any_set = false;
    bool any_faded = false, any_several = false, any_unknown = false;  // ShownCell::faded, kinds of origin
    int widest = 1;                                                    // characters that its values need
    float zero_share = 0;                                              // of bars: where they begin
};

class StageModel {
  public:
    // Prepares what is not up to date. False: there is nothing to show. `wait`: waits for what a job
    // prepares.
    bool update(const session::Session& session, const LayoutFrame& frame, CellLabel label,
                RealFormat reals = RealFormat::decimal, bool wait = false);
    bool preparing() const {
        return jobs_.busy(last_shared_job) || jobs_.busy(flow_job) || jobs_.busy(origin_job) ||
               overlays_.preparing();
    }                                                  // a job is at work; update() takes its result
    bool shows_reals() const { return shows_reals_; }  // some array holds real numbers

    // Shows only the arrays of these names; empty: all. Call it before the first update().
    void show_only(std::vector<std::string> names) { only_ = std::move(names); }
    // The columns of shared arrays are banks. Call it before the first update().
    void show_banks() { banks_ = true; }
    void colour_by(CellColour wanted);
    bool shows_origins() const { return shows_origins_; }          // the colour of each cell is its origin
    const OriginIndex* origins() const { return origins_.get(); }  // null: not known

    // Whether everything would be in sight in this frame, with `lanes` lanes of the block, and matrices as
    // large as in the usual layout.
    bool fits(const LayoutFrame& frame, unsigned lanes, const StageLayout& usual) const;
    StageLayout layout_in(const LayoutFrame& frame) const { return make_layout(arrays_, hints_, frame); }
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
    void load_run(const session::Session& session, const session::StepState& step_state);
    void note_contents(const session::Session& session, std::size_t array);
    CellStyle style_of(std::size_t array) const;
    void read_last_shared(const session::Session& session, bool wait);  // if the launch's end is near
    void widen_to_last_shared(const session::Session& session);
    void load_step(const session::Session& session, const session::StepState& step_state);
    void follow_values(const session::Session& session, bool wait);
    void follow_origins(bool wait);
    void follow_overlays(const session::Session& session, const session::StepState& step_state, bool wait);
    bool follow_marks();
    void load_values(const session::Session& session, const session::StepState& step_state);
    void load_before(const session::Session& session, const session::StepState& step_state,
                     const ArrayPlan& plan);
    bool many_warps() const;
    bool touched_by_focus(const CellMark& mark) const;
    void make_arrows_that_have_room();
    void load_array(const session::Session& session, const session::StepState& step_state,
                    const ArrayPlan& plan);
    void measure_bars(const session::Session& session, const session::StepState& step_state,
                      const ArrayPlan& plan);
    bool widen();
    void even_out_widths();  // of arrays that stand under each other

    std::uint64_t generation_ = ~0ull, first_turn_ = 0, end_turn_ = 0;
    std::uint32_t launch_ = ~0u, block_ = ~0u, focus_thread_ = 0;
    std::size_t step_ = ~std::size_t{0}, instruction_ = 0;
    LayoutFrame frame_;
    CellLabel label_ = CellLabel::value;
    CellColour colour_ = CellColour::automatic;
    bool shows_origins_ = false, origins_asked_ = false, only_copies_ = false;
    bool concealed_ = false, before_ = false;  // the replay stands before the step
    bool last_shared_asked_ = false;           // a job reads it, or has read it
    bool last_shared_read_ = false;            // and the widths do not include it yet
    RealFormat reals_ = RealFormat::decimal;
    bool shows_reals_ = false;
    bool dirty_ = true, step_changed_ = false, run_changed_ = false, one_warp_bright_ = false;

    // What a shared array holds when the launch ends: a flag for each byte that has a value.
    struct LastContents {
        std::size_t array = 0;
        std::vector<std::byte> bytes;
        std::unique_ptr<bool[]> set;
    };
    static constexpr const char* last_shared_job = "last shared";
    static constexpr const char* flow_job = "flow";
    static constexpr const char* origin_job = "origins";

    std::vector<std::string> only_;
    bool banks_ = false;
    std::vector<StageArray> arrays_;
    std::vector<ArrayHint> hints_;
    std::vector<LastContents> last_shared_;
    std::optional<analysis::TurnFlow> flow_;  // of the run's program
    std::shared_ptr<const trace::Trace> trace_;
    std::shared_ptr<const analysis::Flow> values_;  // of the run; null until it is known
    std::shared_ptr<const OriginIndex> origins_;    // of values_
    std::vector<NumberRange> ranges_;
    StepScene scene_;
    StageLayout layout_;
    std::vector<ShownArray> shown_;
    ArrowSet arrows_;
    StageOverlays overlays_;
    bool in_clusters_ = false;
    bool overlays_begun_ = false;  // with origins_
    Jobs jobs_;                    // last, so that its jobs end before the members that they fill
};

}  // namespace lanescope::scene
