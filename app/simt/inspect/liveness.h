// Which registers of a function can be read before they were written.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace lanescope::simt {

// Per register: some path from the entry reads it before it writes it, for some lane. Only these need a first
// value.
std::vector<bool> read_before_written(const ptx::Function& function);

}  // namespace lanescope::simt
