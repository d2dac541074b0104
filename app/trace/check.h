// Whether a trace that came from a file holds together, so that nothing later need ask again.
#pragma once

#include <cstdint>
#include <string>

#include "trace/trace.h"

namespace lanescope::trace {

// What is wrong, in words; empty when nothing is. Everything but the contents of the events.
std::string check_structure(const Trace& trace);

// Whether the events of a turn can be read and stay inside what a state can hold.
bool events_are_sound(const Trace& trace, std::uint64_t turn);

}  // namespace lanescope::trace
