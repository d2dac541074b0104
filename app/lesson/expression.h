// Integer expressions over named values: sizes, launch dimensions and arguments of the front matter.
//
//   literals    64, 0x40            + - * / %      truncating, as in C++      == != < <= > >=   && || !
//   2^20        power               << >>                                      c ? a : b         ( )
//   min(a, …)  max(a, …)  ceil_div(a, b)  log2(a): floor  pow2(a)  abs(a)
//
// Values are 64-bit; a result that does not fit, a division by zero and the like are located errors. `?:`,
// `&&` and `||` evaluate only what they need, so `n == 0 ? 0 : m / n` is fine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

using Names = std::map<std::string, std::int64_t, std::less<>>;

Result<std::int64_t> evaluate(const Expression& expression, const Names& names, const std::string& file);

// Syntax and names only; the values in `names` do not matter.
Result<void> check_expression(const Expression& expression, const Names& names, const std::string& file);

// True for a letter or '_' followed by letters, digits and '_'.
bool is_identifier(std::string_view text);
// True for the functions above: they cannot name a parameter.
bool is_function_name(std::string_view text);

// "0.5", "-1e-3": a literal that only a floating-point parameter takes.
std::optional<double> real_literal(std::string_view text);

// "random(0, 9)" in its parts; "iota" has no arguments.
struct Call {
    Expression name;
    std::vector<Expression> arguments;
};
Result<Call> parse_call(const Expression& expression, const std::string& file);

// "r = n / 2; r >= 1; r / 2" in its parts.
struct Repeat {
    std::string name;
    Expression first, condition, next;
};
Result<Repeat> parse_repeat(const Expression& expression, const std::string& file);

}  // namespace lanescope::lesson
