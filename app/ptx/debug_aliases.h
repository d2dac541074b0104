// Finds names and types of variables in memory that the debug information omits. NVRTC omits shared variables
// of function scope, but it describes the references to them that compile/alias.h adds to the text.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"

namespace lanescope::ptx {

// A reference in the altered text.
struct Alias {
    std::string owner;  // the function's linkage name
    std::string name;   // without the prefix
    int line = 0;
    TypeId type = 0;  // of the referred variable
};

Result<std::vector<Alias>> read_aliases(const Module* aliased, TypeTable& types);

// Adds to `info.symbols` every variable of the module's memory that is missing there.
void name_symbols(const Module& module, std::vector<Alias> aliases, DebugInfo& info);

}  // namespace lanescope::ptx
