// NVRTC describes no function-scope __shared__ variable in its debug information. A reference declared beside
// each one is described, with the variable's whole type, in templates too. The altered text is compiled for
// its types only.
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

// One insertion for each function-scope declaration of shared variables, on the declaration's last line.
std::vector<AliasInsertion> shared_aliases(const std::vector<CppToken>& tokens,
                                           const std::vector<Declaration>& declarations,
                                           const MarkMacros& macros);

// The text with the aliases of all its functions; the text itself when it has no function-scope shared
// variable.
std::string with_shared_aliases(const std::string& source);

}  // namespace lanescope::compile
