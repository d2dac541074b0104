// NVRTC's log as located diagnostics.
#pragma once

#include <string_view>

#include "base/result.h"

namespace lanescope::compile {

// Understands "file(line): error: text", "warning #N-D:", "note #N-D:" and "catastrophic error:", the detail
// lines under them, the echo of the source line with its caret (which gives the column in bytes), and "nvrtc:
// error: text". Notes follow the diagnostic that they belong to.
Diagnostics parse_compiler_log(std::string_view log);

}  // namespace lanescope::compile
