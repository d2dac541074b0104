// The part of StageModel that makes values of several cells comparable: bars, and arrays under each other.
#include <algorithm>

#include "scene/stage/bar_values.h"
#include "scene/stage/stage_model.h"

namespace lanescope::scene {

void StageModel::measure_bars(const session::Session& session, const session::StepState& step_state,
                              const ArrayPlan& plan) {
    ShownArray& shown = shown_[plan.array];
    const NumberRange& range = ranges_[plan.array];
    shown.zero_share = std::max(0.0f, range.share(0));
    const ValuesBefore before =
        values_before(step_state.details, arrays_, plan.array, session.trace()->program.types);
    for (const auto& [index, values] : before) {
        if (index >= shown.cells.size() || !shown.cells[index].set) continue;
        ShownCell& cell = shown.cells[index];
        const double first = first_value(values, cell.number);
        cell.before_share = range.share(first);
        cell.gain = gain_text(first, cell.number);
    }
}

void StageModel::even_out_widths() {
    int widest = 1;
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].aligned) widest = std::max(widest, hints_[i].widest_chars);
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].aligned) hints_[i].widest_chars = widest;
}

}  // namespace lanescope::scene
