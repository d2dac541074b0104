// The part of StageModel that makes values of several cells comparable: bars, and arrays under each other.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "scene/stage/stage_model.h"

namespace lanescope::scene {

namespace {

// The values that a cell held before the lanes of one instruction wrote it, in any order.
using ValuesBefore = std::map<std::uint64_t, std::vector<double>>;

// By cell of the array: before the first instruction of the step that writes it.
ValuesBefore values_before(std::span<const trace::TurnDetail> details, std::span<const StageArray> arrays,
                           std::uint32_t array, const TypeTable& types) {
    ValuesBefore values;
    const StageArray& of = arrays[array];
    for (const trace::TurnDetail& detail : details)
        for (const trace::Access& access : detail.accesses) {
            if (access.kind == trace::AccessKind::load || access.space != of.symbol->space) continue;
            if (access.width_bytes != of.cell_bytes) continue;
            ValuesBefore now;
            for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
                if ((access.mask >> lane & 1) == 0) continue;
                const CellSpan span = cells_at(arrays, access, lane);
                if (span.count != 1 || span.array != array || values.contains(span.first)) continue;
                const auto bytes = std::span(access.before[lane]).first(access.width_bytes);
                now[span.first].push_back(numeric_value(types, of.symbol->element, bytes));
            }
            values.merge(now);
        }
    return values;
}

// The one that was there first: the farthest from the value that remains.
double first_value(const std::vector<double>& before, double after) {
    return *std::max_element(before.begin(), before.end(),
                             [&](double a, double b) { return std::abs(after - a) < std::abs(after - b); });
}

// "+3"; empty if nothing changed
std::string gain_text(double before, double after) {
    if (before == after) return {};
    char text[32];
    std::snprintf(text, sizeof text, "%+.6g", after - before);
    return text[0] == '-' ? "−" + std::string(text + 1) : text;
}

}  // namespace

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
