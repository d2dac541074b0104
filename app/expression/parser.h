// The syntax of expressions, that of C++ without assignment, casts and address-of: breakpoints, watches and
// labels (session/lanes/lane_expression.h) and the sizes in front matter (lesson/expression.h) are written in
// it. Precedence and associativity are C++'s; `xor` is another spelling of `^`, as it is there.
#pragma once

#include <string_view>

#include "base/result.h"
#include "expression/syntax_tree.h"

namespace lanescope::expression {

// What `^` means. A setting such as n=2^20 is no C++, and there it is a power, which binds tighter than a
// sign and to the right: the tree then has a call of pow.
enum class Caret : std::uint8_t { exclusive_or, power };

// Errors have the column in the text, in bytes from 1, and no file. More than 4096 characters or 200 levels
// of nesting are errors.
Result<SyntaxTree> parse(std::string_view text, Caret caret = Caret::exclusive_or);

}  // namespace lanescope::expression
