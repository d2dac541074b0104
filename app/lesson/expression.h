// Evaluates integer expressions over named values: sizes, launch dimensions and arguments of the front
// matter.
//
// The syntax is that of expression/parser.h, with C++'s operators, precedence and associativity:
//   64  0x40  1'000    + - * / %, truncating    << >>    & | ^ ~    == != < <= > >=    && || !    c ? a : b
//   pow(a, b)  min(a, …)  max(a, …)  ceil_div(a, b)  log2(a): floor  pow2(a)  abs(a)
//
// Values are signed 64-bit integers. Overflow, division by zero and similar faults are located errors;
// nothing wraps. `?:`, `&&` and `||` evaluate only what they need, so `n == 0 ? 0 : m / n` is fine. `^` was a
// power in older files. So that no value changes silently, `^` is an error that names pow unless one of its
// operands is a hexadecimal number. C++'s other spelling, `a xor b`, is always the exclusive or.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"

namespace lanescope::lesson {

using Names = std::map<std::string, std::int64_t, std::less<>>;

Result<std::int64_t> evaluate(const Expression& expression, const Names& names, const std::string& file);

// An expression in one more name, for many values of it: parsed and checked once. A copy is independent, so
// that threads can have one each.
class ElementExpression {
  public:
    // Errors: those of check_expression(); a fault at 0 is not an error: the name may never be 0.
    static Result<ElementExpression> make(const Expression& expression, const std::string& name,
                                          const Names& names, const std::string& file);
    // Error: the expression does not evaluate for this value, such as a division by zero.
    Result<std::int64_t> at(std::int64_t value);

  private:
    struct Parsed;
    std::shared_ptr<const Parsed> parsed_;
    Names names_;
};

// A condition on an element `x`.
class ElementCondition {
  public:
    // Errors: those of check_expression(); a fault at x = 0 is not an error: elements may never be 0.
    static Result<ElementCondition> make(const Expression& expression, const Names& names,
                                         const std::string& file);
    // Error: the condition does not evaluate for this element, such as a division by zero.
    Result<bool> holds(std::int64_t x);

  private:
    ElementExpression expression_;
};

// Returns the value of a setting, as in n=2^20: an expression without names in which `^` is a power. Errors
// have no position.
Result<std::int64_t> setting_value(std::string_view text);

// Checks only syntax and names, not the values in `names`.
Result<void> check_expression(const Expression& expression, const Names& names, const std::string& file);

// Returns whether the text is a letter or '_' followed by letters, digits and '_'.
bool is_identifier(std::string_view text);
// Returns whether the text names one of the functions above, which cannot name a parameter.
bool is_function_name(std::string_view text);

// Reads a literal that only a floating-point parameter takes: "0.5", "-1e-3".
std::optional<double> real_literal(std::string_view text);

// The parts of "random(0, 9)"; "iota" has no arguments.
struct Call {
    Expression name;
    std::vector<Expression> arguments;
};
Result<Call> parse_call(const Expression& expression, const std::string& file);

// The parts of "r = n / 2; r >= 1; r / 2".
struct Repeat {
    std::string name;
    Expression first, condition, next;
};
Result<Repeat> parse_repeat(const Expression& expression, const std::string& file);

}  // namespace lanescope::lesson
