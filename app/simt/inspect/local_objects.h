// Finds memory instructions whose address comes from one variable of the call frame.
//
// The variables of a frame lie side by side, so an index outside of one of them can lead into another, where
// an access is sound to the machine. Debug code computes each address from the frame's base plus the
// variable's constant offset; that is followed through registers, within one function. Addresses that pass
// through memory or a call, or that may come from two variables, are not followed.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::simt {

struct LocalObject {  // a variable: bytes from the frame's start
    std::uint64_t begin = 0, end = 0;
};

// Returns for each instruction the variable that its address comes from: its index + 1 in `variables`, or 0.
// `local_offsets`: of ptx::Function::variables from the frame's start; ~0: not local.
std::vector<std::uint16_t> find_local_objects(const ptx::Function& function,
                                              const std::vector<std::uint64_t>& local_offsets,
                                              const std::vector<LocalObject>& variables);

}  // namespace lanescope::simt
