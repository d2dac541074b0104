#include "session/playhead/call_steps.h"

namespace lanescope::session {

namespace {

// Nothing: the warp does not run in the step.
std::optional<int> depth_in(const trace::Trace& trace, const trace::Step& step,
                            std::optional<std::uint32_t> warp) {
    if (!warp) return trace.turns[step.first].depth;
    for (std::uint64_t turn = step.first; turn < step.end; ++turn)
        if (trace.turns[turn].block == step.block && trace.turns[turn].warp == *warp)
            return trace.turns[turn].depth;
    return std::nullopt;
}

}  // namespace

int call_depth(const Playhead& playhead, std::optional<std::uint32_t> warp) {
    const trace::Trace& trace = *playhead.run()->trace;
    const trace::Step& step = playhead.step_state()->step;
    return depth_in(trace, step, warp).value_or(trace.turns[step.first].depth);
}

std::optional<std::size_t> find_call_step(const Playhead& playhead, const CallStep& wanted) {
    const std::vector<trace::Step>& steps = playhead.steps();
    const trace::Trace& trace = *playhead.run()->trace;
    for (std::size_t at = wanted.from.value_or(playhead.step_state()->index);
         wanted.back ? at > 0 : at + 1 < steps.size();) {
        wanted.back ? --at : ++at;
        const std::optional<int> depth = depth_in(trace, steps[at], wanted.warp);
        if (depth && *depth <= wanted.most_depth) return at;
    }
    return std::nullopt;
}

}  // namespace lanescope::session
