// The time of a launch whose kernel does nothing: what every time of a launch contains.
#pragma once

#include "base/result.h"
#include "gpu/clean/timing.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

// One block of one warp, between two events, as measure() times other work. Errors: the driver's.
Result<Timing> time_empty_launch(Context& context);

}  // namespace lanescope::gpu
