#include "scene/lesson/note_place.h"

#include <algorithm>

namespace lanescope::scene {
namespace {

// How often the warp is on the line in this step.
std::uint32_t visits_in(const trace::Trace& trace, const trace::Step& step, std::uint32_t warp,
                        std::uint32_t line) {
    const std::uint64_t end = std::min<std::uint64_t>(step.end, trace.turns.size());
    std::uint32_t count = 0;
    for (std::uint64_t turn = step.first; turn < end; ++turn) {
        const trace::Turn& at = trace.turns[turn];
        count += at.block == step.block && at.warp == warp && at.line == line;
    }
    return count;
}

}  // namespace

std::optional<NotePlace> place_of_step(const trace::Trace& trace, const std::vector<trace::Step>& steps,
                                       std::size_t step) {
    if (step >= steps.size() || steps[step].first >= trace.turns.size()) return std::nullopt;
    const trace::Turn& turn = trace.turns[steps[step].first];
    NotePlace place{steps[step].launch, steps[step].phase, turn.line, turn.warp, 0};
    for (std::size_t i = 0; i < step; ++i)
        if (steps[i].launch == place.launch && steps[i].phase == place.phase)
            place.visit += visits_in(trace, steps[i], place.warp, place.line);
    return place;
}

std::optional<std::size_t> step_of_place(const trace::Trace& trace, const std::vector<trace::Step>& steps,
                                         const NotePlace& place) {
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].launch != place.launch || steps[i].phase != place.phase) continue;
        before += visits_in(trace, steps[i], place.warp, place.line);
        if (before > place.visit) return i;
    }
    return std::nullopt;
}

}  // namespace lanescope::scene
