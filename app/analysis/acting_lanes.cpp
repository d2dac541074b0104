#include "analysis/acting_lanes.h"

namespace lanescope::analysis {

trace::Mask acting_lanes(const trace::Trace& trace, std::span<const trace::TurnDetail> step,
                         std::uint32_t warp) {
    trace::Mask ran = 0, effects = 0;
    trace::Mask split = 0;    // their last turn ended at a branch that split it
    trace::Mask without = 0;  // others of their turn stored
    trace::Mask busy = 0;     // they ran more than the jump at which lanes meet again
    for (const trace::TurnDetail& detail : step) {
        const trace::Turn& turn = trace.turns[detail.turn];
        if (turn.warp != warp) continue;
        ran |= turn.mask;
        if (turn.instructions != 1) busy |= turn.mask;
        split &= ~turn.mask;
        if (turn.end == trace::TurnEnd::diverged) split |= turn.mask;
        for (const trace::Problem& problem : trace.problems)  // the access that failed is not in the trace
            if (problem.first.turn == detail.turn && problem.first.has_access)
                effects |= problem.occurrences > 1
                               ? turn.mask  // which of them is not in the trace either
                               : trace::Mask{1} << problem.first.thread % trace::warp_size;
        trace::Mask stores = 0;
        for (const trace::Access& access : detail.accesses)
            if (access.kind != trace::AccessKind::load && access.space != trace::Space::local)
                stores |= access.mask;
        if (stores != 0) without |= turn.mask & ~stores;
        effects |= stores;
        for (const trace::VariableChange& change : detail.changes)
            effects |= change.mask;
        for (const trace::Exchange& exchange : detail.exchanges)
            effects |= exchange.mask;
    }
    const trace::Mask acted = ran & (effects | (~(split | without) & busy));
    return acted != 0 ? acted : ran;
}

}  // namespace lanescope::analysis
