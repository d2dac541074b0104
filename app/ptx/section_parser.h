// Parses ".section .debug_info { .b8 1, 2  .b32 .debug_abbrev  label: … }".
#pragma once

#include "ptx/module.h"
#include "ptx/parser_input.h"

namespace lanescope::ptx {

// Parses the text after ".section", including the '}'.
Section parse_section(Input& input);

}  // namespace lanescope::ptx
