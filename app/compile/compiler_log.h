// Parses NVRTC's log into located diagnostics.
#pragma once

#include <string_view>

#include "base/result.h"

namespace lanescope::compile {

// Understands "file(line): error: text", "warning #N-D:", "note #N-D:" and "catastrophic error:", the detail
// lines after them, the echoed source line with its caret (which gives the column in bytes), and "nvrtc:
// error: text". Notes follow their diagnostic.
Diagnostics parse_compiler_log(std::string_view log);

}  // namespace lanescope::compile
