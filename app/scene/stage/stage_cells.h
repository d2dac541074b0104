// The cells of the stage as they are shown: values at the session's position, before and after the step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/stage/cell_origins.h"
#include "scene/stage/cell_uses.h"
#include "scene/stage/stage_layout.h"
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
    bool faded = false;    // no thread reads its value again
    bool pending = false;  // an asynchronous copy into it is under way
    CellOrigin origin;     // if the model shows origins
};

struct ShownArray {
    std::vector<ShownCell> cells;  // shown rows × shown columns
    // Of bars: those of other blocks, as ArrayPlan::copies counts them; the shown block's is empty.
    std::vector<std::vector<ShownCell>> copies;
    bool any_set = false;
    bool any_faded = false, any_pending = false;    // of ShownCell
    bool any_several = false, any_unknown = false;  // kinds of origin
    int widest = 1;                                 // characters that its values need
    float zero_share = 0;                           // of bars: where they begin
};

// Whether a cell has a value; `flags`: of its bytes.
bool cell_set(const ValueType& type, std::span<const bool> flags);

// The full text of a cell at the session's position, or "not set".
std::string value_text(const session::Session& session, const session::StepState& step_state,
                       const StageArray& array, std::uint64_t index);

// Reads the cells of one step. What it refers to must outlive it.
class CellReader {
  public:
    struct Place {
        const session::Session& session;
        const session::StepState& step_state;
        std::span<const StageArray> arrays;
        const StepScene& scene;
        CellLabel label = CellLabel::value;
        std::uint32_t focus_thread = 0;
        const CellUses* uses = nullptr;        // null: not known
        const OriginIndex* origins = nullptr;  // null: the colour of a cell is not its origin
    };
    explicit CellReader(const Place& place);

    // In a step of many warps the pinned warp's cells stand out, because only the pattern of one warp can be
    // read.
    bool one_warp_bright() const { return one_warp_bright_; }
    // `range`: of the array's numbers; it grows.
    ShownArray read(const ArrayPlan& plan, const CellStyle& style, NumberRange& range) const;
    // Adds what the written cells held before the step. Call it while the replay stands there.
    void read_before(const ArrayPlan& plan, const CellStyle& style, ShownArray& shown) const;
    bool shows_before() const;

  private:
    bool many_warps() const;
    bool touched_by_focus(const CellMark& mark) const;
    bool writes_values(const StageArray& array) const;  // else indices or banks
    void label_cell(const ArrayPlan& plan, std::uint64_t index, std::span<const std::byte> bytes,
                    const CellStyle& style, ShownCell& cell) const;
    void read_copies(const ArrayPlan& plan, const CellStyle& style, NumberRange& range,
                     ShownArray& shown) const;
    void measure_bars(std::uint32_t array, const NumberRange& range, ShownArray& shown) const;

    Place at_;
    const TypeTable& types_;
    bool one_warp_bright_;
};

}  // namespace lanescope::scene
