// Checks that a trace from a file is consistent, so that later code need not check it again.
#pragma once

#include <cstdint>
#include <string>

#include "trace/trace.h"

namespace lanescope::trace {

// Returns what is wrong, in words; empty if the trace is consistent. Does not check the contents of the
// events.
std::string check_structure(const Trace& trace);

// Returns whether the events of a turn can be read and stay within the limits of a state.
bool events_are_sound(const Trace& trace, std::uint64_t turn);

}  // namespace lanescope::trace
