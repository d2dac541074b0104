// Explains in words what each lane of the focus block does at the current step, and why.
#pragma once

#include <cstdint>
#include <string>

#include "session/session.h"

namespace lanescope::session {

// "t5 waits for line 12: the branch on line 9 split this warp"; "t9 is at the barrier of line 31 since step
// 12, waits for warp 3". Never empty while there is a step.
std::string lane_explanation(const Session& session, std::uint32_t warp, std::uint32_t lane);

// "24 lanes wait for line 12: the branch on line 9 split this warp"; empty when there is nothing to say.
std::string warp_words(const Session& session, std::uint32_t warp);

}  // namespace lanescope::session
