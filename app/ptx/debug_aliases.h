// Names and types of the variables in memory that the debug information leaves out: NVRTC describes no
// function-scope shared variable, but it does describe the references to them that compile/alias.h adds to
// the text.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"

namespace lanescope::ptx {

// A reference that the altered text declares.
struct Alias {
    std::string owner;  // the function's linkage name
    std::string name;   // without the prefix
    int line = 0;
    TypeId type = 0;  // what it refers to
};

Result<std::vector<Alias>> read_aliases(const Module* aliased, TypeTable& types);

// Adds to `info.symbols` every variable of the module's memory that is not there yet.
void name_symbols(const Module& module, std::vector<Alias> aliases, DebugInfo& info);

}  // namespace lanescope::ptx
