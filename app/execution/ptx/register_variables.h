// The registers of PTX as variables, for code whose compiler wrote no names.
#pragma once

#include "ptx/debug_info.h"

namespace lanescope::execution {

// Adds every register of the functions that have no variables of their own.
void add_register_variables(const ptx::Module& module, ptx::DebugInfo& debug);

}  // namespace lanescope::execution
