// Makes one module of several: relocatable code (nvcc -rdc=true) that refers to functions and variables of
// other files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::ptx {

// The text of a module with everything that these define. A name that several modules define, such as an
// inline function, keeps its first definition. Debug information is kept of the module `described` alone,
// lines of all: a module has only one set of debug sections. The order of variables does not depend on
// `described`. Errors: no modules.
Result<std::string> link(const std::vector<std::string>& texts, std::size_t described);

}  // namespace lanescope::ptx
