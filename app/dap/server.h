// Serves one debugger over two file descriptors.
#pragma once

#include <memory>

#include "dap/services.h"
#include "lesson/course/registry.h"

namespace lanescope::dap {

// Returns when the client disconnects or closes its end. Errors: a message that cannot be cut off the stream;
// the client does not read.
Result<void> serve(int in, int out, Services services, std::shared_ptr<const lesson::Registry> registry);

}  // namespace lanescope::dap
