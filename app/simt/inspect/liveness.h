// Which registers of a function can be read before they were written.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace lanescope::simt {

// Returns for each register whether some path from the entry reads it before it is written, for some lane.
// Only these registers need an initial value.
std::vector<bool> read_before_written(const ptx::Function& function);

}  // namespace lanescope::simt
