// Function names as they appear in source code.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::simt {

// "_Z6reduceIi4PlusEvPKT_" gives "reduce<int, Plus>": demangled, without parameters and result type. A name
// that is not mangled stays as it is.
std::string plain_name(std::string_view symbol);

}  // namespace lanescope::simt
