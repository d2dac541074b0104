// The registers of PTX as variables, for code whose compiler wrote no names.
#pragma once

#include <vector>

#include "ptx/debug_info.h"

namespace lanescope::execution {

// Whether each register of the function holds a floating-point number, as far as its uses tell.
std::vector<bool> floating_registers(const ptx::Function& function);

// Adds every register of the functions that have no variables of their own.
void add_register_variables(const ptx::Module& module, ptx::DebugInfo& debug);

}  // namespace lanescope::execution
