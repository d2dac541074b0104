// Names of PTX symbols as the source spells them.
#pragma once

#include <map>
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

// Finds the functions that function-scope variables belong to.
class Owners {
  public:
    explicit Owners(const Module& module);
    // The linkage name: "_Z6reducePf" for "_ZZ6reducePfE4tile"; empty when it is not a function of the
    // module.
    std::string linkage_name(std::string_view symbol) const;

  private:
    std::map<std::string, std::string, std::less<>> by_encoding_;  // as it stands after "_ZZ"
};

// 0 for the first variable of its name in a function, 1 for the next ("_ZZ1kvE1s_0") …
unsigned discriminator(std::string_view symbol, std::string_view name);

}  // namespace lanescope::ptx
