// Translates PTX symbols to their names in the source.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace lanescope::ptx {

struct SourceName {
    std::string name;      // "tile", "ns::table"
    std::string function;  // "reduce<float>" for a variable inside a function; otherwise empty
};

// Demangles an Itanium C++ ABI name. Returns a name that is not mangled unchanged.
SourceName source_name(const std::string& symbol);

// Finds the functions of function-scope variables.
class Owners {
  public:
    explicit Owners(const Module& module);
    // Returns the linkage name: "_Z6reducePf" for "_ZZ6reducePfE4tile"; empty if the module has no such
    // function.
    std::string linkage_name(std::string_view symbol) const;

  private:
    std::map<std::string, std::string, std::less<>> by_encoding_;  // the encoding after "_ZZ"
};

// Returns 0 for the first variable of its name in a function, 1 for the next ("_ZZ1kvE1s_0") …
unsigned discriminator(std::string_view symbol, std::string_view name);

}  // namespace lanescope::ptx
