// Writes a filter's launch as a kernel file of its own, to step through it.
#pragma once

#include "base/result.h"
#include "preview/run/run.h"

namespace lanescope::execution {
struct RunRequest;
}

namespace lanescope::preview {

// Returns a run of the kernel file with the plane of the first channel as its image and the first mask as its
// mask, written beside a PNG of the plane into the cache folder; only `block` is recorded. The values of a
// floating-point image are 0 to 1 there. Errors: files that cannot be written.
Result<execution::RunRequest> step_request(const Run& run, std::uint32_t block);

}  // namespace lanescope::preview
