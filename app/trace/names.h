// The names of parts of a trace in messages, reports and views.
#pragma once

#include "trace/trace.h"

namespace lanescope::trace {

const char* to_text(Space space);      // "global"
const char* to_text(AccessKind kind);  // "load"

}  // namespace lanescope::trace
