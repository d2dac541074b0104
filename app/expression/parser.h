// Parses expressions in the syntax of C++ without assignment, casts and address-of. Breakpoints, watches and
// labels (execution/lanes/lane_expression.h) and the sizes in front matter (lesson/expression.h) use it.
// Precedence and associativity are C++'s; as in C++, `xor` is another spelling of `^`.
#pragma once

#include <string_view>

#include "base/result.h"
#include "expression/syntax_tree.h"

namespace lanescope::expression {

// The meaning of `^`. In a setting such as n=2^20, which is not C++, `^` is a power that binds tighter than a
// sign and to the right; the tree then has a call of pow.
enum class Caret : std::uint8_t { exclusive_or, power };

// Errors give the column in the text, in bytes from 1, and no file. More than 4096 characters or 200 levels
// of nesting are errors.
Result<SyntaxTree> parse(std::string_view text, Caret caret = Caret::exclusive_or);

}  // namespace lanescope::expression
