// The names of parts of a trace in messages, reports and views.
#pragma once

#include <string>

#include "trace/trace.h"

namespace lanescope::trace {

const char* to_text(Space space);           // "global"
const char* to_text(AccessKind kind);       // "load"
const char* to_text(SyncPoint::Kind kind);  // "barrier"

// What each thread of a race did before its access, and what would order the two; empty: it is not a race.
std::string why_text(const Problem& problem);

}  // namespace lanescope::trace
