// The debug information of NVRTC and nvcc omits __shared__ variables of function scope, but it describes a
// reference declared beside each one, with the variable's whole type, even in templates. The altered text is
// compiled only for its types.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compile/declarations.h"

namespace lanescope::compile {

constexpr std::string_view alias_prefix = "__sv_";

struct AliasInsertion {
    std::size_t at = 0;  // byte offset: after the declaration's semicolon
    std::string words;   // " auto& __sv_tile = tile;"
};

// Returns an insertion for each function-scope declaration of shared variables, on the declaration's last
// line.
std::vector<AliasInsertion> shared_aliases(const std::vector<CppToken>& tokens,
                                           const std::vector<Declaration>& declarations,
                                           const MarkMacros& macros);

// A whole file with these references; empty if no function has shared variables. Macros of headers are not
// known.
std::string with_shared_aliases(const std::string& source);

}  // namespace lanescope::compile
