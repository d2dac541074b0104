// Threads and frames of the debugger: a thread is a warp of the focus block, seen through one of its lanes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dap/values.h"
#include "session/session.h"

namespace lanescope::dap {

// Ids of threads count warps over the blocks of a launch, from 1.
std::int64_t thread_id(const session::Session& session, std::uint32_t warp);
// Nothing: the thread belongs to another block or does not exist.
std::optional<std::uint32_t> warp_of(const session::Session& session, std::int64_t thread);
std::string warp_name(const session::Session& session,
                      std::uint32_t warp);  // "block 0 · warp 1 · 24 of 32 lanes on"

// The lane through which a warp is seen: the pinned one, else the first that runs in the step.
std::uint32_t lane_of(const session::Session& session, std::uint32_t warp);
// The warp of the step: the pinned one if it runs, else the first that does.
std::uint32_t warp_of_step(const session::Session& session);
bool runs(const session::Session& session, std::uint32_t warp);  // in the current step

struct Frame {
    LanePick pick;
    std::string function;
    std::uint32_t line = 0;  // 0: not known
    std::uint32_t pc = trace::none;
};
std::vector<Frame> frames_of(const session::Session& session, std::uint32_t warp);  // innermost first

}  // namespace lanescope::dap
