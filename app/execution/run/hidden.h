// What a run does not show although it ends well.
#pragma once

#include <string>

#include "execution/run/run.h"

namespace lanescope::execution {

// Why a proposed launch shows nothing of its kernel: it ends without a problem and leaves everything as it
// was. Empty if it shows something, or if the file states its launches.
std::string hollowness(const RunResult& result);

// A note that asynchronous copies were compiled to plain ones; empty if they were not.
std::string plain_copies_note(const RunResult& result);

}  // namespace lanescope::execution
