// The steps to which a debugger's "step over" and "step out" go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "session/playhead/playhead.h"

namespace lanescope::session {

struct CallStep {
    int most_depth = 0;  // of calls; 0: the kernel itself
    bool back = false;
    std::optional<std::uint32_t> warp = {};  // a step in which this warp runs; nothing: any warp
    std::optional<std::size_t> from = {};    // this step; nothing: the current one
};

// The call depth of the current step; of this warp, if it runs in the step. There must be a current step.
int call_depth(const Playhead& playhead, std::optional<std::uint32_t> warp = {});
// The next or the previous such step; nothing if there is none.
std::optional<std::size_t> find_call_step(const Playhead& playhead, const CallStep& wanted);

}  // namespace lanescope::session
