// Which kernels' blocks compute the same whatever the order in which they run, at the same time included.
#pragma once

#include "ptx/module.h"

namespace lanescope::simt {

// No instruction of the function lets a block of a correct program see how far other blocks are: no polling,
// no fence beyond the block, no clock, no atomic operation on global memory but integer ones whose order does
// not matter and whose old value no thread reads. What it calls is another question.
bool keeps_blocks_apart(const ptx::Function& function);

}  // namespace lanescope::simt
