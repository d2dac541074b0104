#include "scene/stage/bar_values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace lanescope::scene {

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

double first_value(const std::vector<double>& before, double after) {
    return *std::max_element(before.begin(), before.end(),
                             [&](double a, double b) { return std::abs(after - a) < std::abs(after - b); });
}

std::string gain_text(double before, double after) {
    if (before == after) return {};
    char text[32];
    std::snprintf(text, sizeof text, "%+.6g", after - before);
    return text[0] == '-' ? "−" + std::string(text + 1) : text;
}

}  // namespace lanescope::scene
