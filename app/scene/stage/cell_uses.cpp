#include "scene/stage/cell_uses.h"

#include <algorithm>
#include <bit>

namespace lanescope::scene {

namespace {

constexpr std::uint64_t most_used_cells = 1 << 17;       // of one array
constexpr std::uint64_t most_watched_turns = 1'000'000;  // of the run

}  // namespace

CellUses::CellUses(const trace::Trace& trace, std::span<const StageArray> arrays, const trace::Step& place,
                   const std::atomic<bool>* cancelled)
    : uses_(arrays.size()), global_(arrays.size()) {
    const bool all_blocks =
        std::all_of(trace.launches.begin(), trace.launches.end(),
                    [](const trace::Launch& launch) { return launch.recorded_blocks.empty(); });
    if (trace.turns.size() > most_watched_turns || trace.truncated) return;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        global_[i] = arrays[i].symbol->space != trace::Space::shared;
        if (arrays[i].count <= most_used_cells && (all_blocks || !global_[i]))
            uses_[i].resize(arrays[i].count);
    }
    trace::TurnDetail detail;
    for (std::uint64_t turn = 0; turn < trace.turns.size(); ++turn) {
        if ((turn & 1023) == 0 && cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) return;
        trace::decode(trace, turn, detail);
        note(trace, turn, detail, arrays, place);
    }
}

void CellUses::note(const trace::Trace& trace, std::uint64_t turn, const trace::TurnDetail& detail,
                    std::span<const StageArray> arrays, const trace::Step& place) {
    // Other blocks, and other launches, have other shared arrays.
    const bool own =
        turn >= trace.launches[place.launch].first_turn && turn < trace.launches[place.launch].end_turn;
    const std::uint32_t block = trace.turns[turn].block;
    for (const trace::Access& access : detail.accesses) {
        const bool of_place = own && access.block_reached(block) == place.block;
        if (access.space == trace::Space::local || (access.space == trace::Space::shared && !of_place))
            continue;
        for (trace::Mask rest = access.mask; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const CellSpan span =
                cells_at(arrays, access.space, access.offset[lane], access.width_bytes, place.launch);
            if (span.count == 0 || uses_[span.array].empty()) continue;
            for (std::uint64_t cell = span.first; cell < span.first + span.count; ++cell) {
                std::vector<Use>& uses = uses_[span.array][cell];
                if (uses.empty()) uses.emplace_back();
                if (access.kind != trace::AccessKind::store) uses.back().read = turn + 1;
                if (access.kind == trace::AccessKind::load) continue;
                if (uses.back().written == turn + 1)
                    uses.back().read = 0;
                else
                    uses.push_back({turn + 1, 0});
            }
        }
    }
}

bool CellUses::dead(std::uint32_t array, std::uint64_t cell, std::uint64_t turn) const {
    if (array >= uses_.size() || cell >= uses_[array].size()) return false;
    const std::vector<Use>& uses = uses_[array][cell];
    if (uses.empty()) return false;
    const auto after = std::upper_bound(uses.begin(), uses.end(), turn,
                                        [](std::uint64_t at, const Use& use) { return at < use.written; });
    const Use& held = *(after - 1);
    if (global_[array] && held.written != 0 && after == uses.end()) return false;
    return held.read <= turn;
}

}  // namespace lanescope::scene
