// A compiler that is not this machine's: where NVRTC cannot be.
#pragma once

#include <optional>

#include "compile/remote.h"

namespace lanescope::compile {

// Nothing: this machine compiles. A browser asks the server that its page names, if it names one.
std::optional<Result<Output>> compile_elsewhere(const RemoteSource& source);

}  // namespace lanescope::compile
