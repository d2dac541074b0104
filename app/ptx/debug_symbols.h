// Names of PTX symbols as the source spells them.
#pragma once

#include <string>
#include <string_view>

#include "ptx/module.h"

namespace lanescope::ptx {

struct SourceName {
    std::string name;      // "tile", "ns::table"
    std::string function;  // "reduce<float>" of a variable inside a function; empty else
};

// Itanium C++ ABI names; a name that is not mangled comes back as it is.
SourceName source_name(const std::string& symbol);

// The linkage name of the function that a function-scope variable belongs to ("_Z6reducePf" of
// "_ZZ6reducePfE4tile"); empty for others.
std::string owner_linkage_name(const Module& module, std::string_view symbol);

// 0 for the first variable of its name in a function, 1 for the next ("_ZZ1kvE1s_0") …
unsigned discriminator(std::string_view symbol, std::string_view name);

}  // namespace lanescope::ptx
