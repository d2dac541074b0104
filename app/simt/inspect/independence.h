// Finds kernels whose blocks give the same results in any order, also at the same time.
#pragma once

#include "ptx/module.h"

namespace lanescope::simt {

// Returns whether no instruction of the function lets a block of a correct program see the progress of other
// blocks: it has no polling, no fence beyond the block, no clock, and of the atomic operations on global
// memory only integer ones whose order does not matter and whose old value is unused. Callees are not
// examined.
bool keeps_blocks_apart(const ptx::Function& function);

}  // namespace lanescope::simt
