#include "lesson/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>

#include "expression/parser.h"
#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

using expression::Node;
using expression::SyntaxTree;
using Op = Node::Op;

// muParser does not fit here: it computes in double and its integer mode casts to 32 bits, so it offers
// neither exact 64-bit values, nor truncating division, nor errors on overflow.

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::array function_names{"abs", "ceil_div", "log2", "max", "min", "pow", "pow2"};

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

struct Fault {
    std::string message, hint;
    int column = 0;  // from 1, in the expression
};

// --- Which trees are valid expressions of the front matter
// ---------------------------------------------------------

// Returns "2^20" around the '^' at this offset; empty unless decimal numbers stand on both sides.
struct DecimalPower {
    std::string base, exponent, text;
};

DecimalPower decimal_power(std::string_view text, std::size_t caret) {
    std::size_t left = caret, right = caret + 1;
    while (left > 0 && text[left - 1] == ' ')
        --left;
    while (right < text.size() && text[right] == ' ')
        ++right;
    std::size_t begin = left, end = right;
    while (begin > 0 && is_digit(text[begin - 1]))
        --begin;
    while (end < text.size() && is_digit(text[end]))
        ++end;
    const bool part_of_name = begin > 0 && starts_name(text[begin - 1]);
    if (begin == left || end == right || part_of_name || left - begin > 18 || end - right > 18) return {};
    return {std::string(text.substr(begin, left - begin)), std::string(text.substr(right, end - right)),
            std::string(text.substr(begin, end - begin))};
}

class Checker {
  public:
    Checker(const SyntaxTree& tree, std::string_view text, const Names& names)
        : tree_(tree), text_(text), names_(names) {}

    std::optional<Fault> check() const {
        std::vector<bool> part_of_name(tree_.nodes.size());
        for (const Node& node : tree_.nodes)
            if (!tree_.dotted_name(node).empty()) part_of_name[node.parts[0]] = true;
        for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
            if (!part_of_name[i])
                if (auto fault = check(tree_.nodes[i])) return fault;
        return std::nullopt;
    }

  private:
    std::optional<Fault> check(const Node& node) const {
        switch (node.op) {
            case Op::number:
                return check_number(node);
            case Op::name:
                return check_name(node.text, node.column);
            case Op::member:
                if (const std::string name = tree_.dotted_name(node); !name.empty())
                    return check_name(name, tree_[node.parts[0]].column);
                return reads_memory(node);
            case Op::arrow:
            case Op::index:
            case Op::dereference:
                return reads_memory(node);
            case Op::binary:
                return node.text == "^" ? check_caret(node) : std::nullopt;
            case Op::call:
                return check_call(node);
            case Op::unary:
            case Op::logical_and:
            case Op::logical_or:
            case Op::conditional:
                break;
        }
        return std::nullopt;
    }

    std::optional<Fault> check_number(const Node& node) const {
        if (node.literal.is_real)
            return Fault{"a number with a fraction is not an integer",
                         "only a whole argument may be a number such as 0.5", node.column};
        if (node.literal.has_suffix())
            return Fault{"a number with a suffix is not allowed here",
                         "all numbers are signed 64-bit integers", node.column};
        if (node.literal.whole > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
            return Fault{"the number does not fit into 64 bits", {}, node.column};
        return std::nullopt;
    }

    std::optional<Fault> check_name(const std::string& name, int column) const {
        if (names_.contains(name)) return std::nullopt;
        std::vector<std::string> known;
        for (const auto& [key, value] : names_)
            known.push_back(key);
        return Fault{"unknown name '" + name + "'", suggestion(name, known), column};
    }

    std::optional<Fault> reads_memory(const Node& node) const {
        return Fault{"an expression here cannot read memory",
                     "expected numbers, parameters and sizes of buffers, such as in.count", node.column};
    }

    std::optional<Fault> check_caret(const Node& node) const {
        const auto at = static_cast<std::size_t>(node.column - 1);
        const auto is_hexadecimal = [&](std::uint32_t part) { return tree_[part].literal.hexadecimal; };
        if (text_[at] != '^' || std::any_of(node.parts.begin(), node.parts.end(), is_hexadecimal))
            return std::nullopt;
        const DecimalPower power = decimal_power(text_, at);
        if (power.text.empty())
            return Fault{"'^' is exclusive or in C++, not a power",
                         "write pow(a, b) for the power, a xor b for exclusive or", node.column};
        const std::string value = std::to_string(std::stoll(power.base) ^ std::stoll(power.exponent));
        return Fault{"'" + power.text + "' is " + value + " in C++ (exclusive or)",
                     "write pow(" + power.base + ", " + power.exponent + ")" +
                         (power.base == "2" ? " or 1 << " + power.exponent : std::string()),
                     node.column};
    }

    std::optional<Fault> check_call(const Node& node) const {
        if (!is_function_name(node.text))
            return Fault{"unknown function '" + node.text + "'",
                         suggestion(node.text, {function_names.begin(), function_names.end()}), node.column};
        const bool any_number = node.text == "min" || node.text == "max";
        const std::size_t wanted = node.text == "ceil_div" || node.text == "pow" ? 2 : 1;
        if (any_number ? !node.parts.empty() : node.parts.size() == wanted) return std::nullopt;
        return Fault{node.text + " got " + std::to_string(node.parts.size()) + " values",
                     "expected " + std::string(any_number    ? "at least 1"
                                               : wanted == 2 ? "2"
                                                             : "1"),
                     node.column};
    }

    const SyntaxTree& tree_;
    std::string_view text_;
    const Names& names_;
};

// --- Values
// --------------------------------------------------------------------------------------------------

// Evaluates a checked tree. After a fault every value is 0.
class Evaluator {
  public:
    Evaluator(const SyntaxTree& tree, const Names& names) : tree_(tree), names_(names) {}

    const std::optional<Fault>& fault() const { return fault_; }

    std::int64_t value(std::uint32_t at) {
        const Node& node = tree_[at];
        switch (node.op) {
            case Op::number:
                return static_cast<std::int64_t>(node.literal.whole);
            case Op::name:
                return names_.find(node.text)->second;
            case Op::member:
                return names_.find(tree_.dotted_name(node))->second;
            case Op::unary:
                return unary(node);
            case Op::binary:
                return binary(node);
            case Op::logical_and:
                return value(node.parts[0]) != 0 && value(node.parts[1]) != 0;
            case Op::logical_or:
                return value(node.parts[0]) != 0 || value(node.parts[1]) != 0;
            case Op::conditional:
                return value(node.parts[value(node.parts[0]) != 0 ? 1 : 2]);
            case Op::call:
                return call(node);
            case Op::arrow:
            case Op::index:
            case Op::dereference:
                break;  // the check refuses these
        }
        return 0;
    }

  private:
    std::int64_t fail(const Node& node, std::string message, std::string hint = {}) {
        if (!fault_) fault_ = Fault{std::move(message), std::move(hint), node.column};
        return 0;
    }
    std::int64_t too_large(const Node& node) { return fail(node, "the result does not fit into 64 bits"); }

    std::int64_t unary(const Node& node) {
        const std::int64_t operand = value(node.parts[0]);
        switch (node.text[0]) {
            case '-':
                return operand == lowest ? too_large(node) : -operand;
            case '!':
                return operand == 0;
            case '~':
                return ~operand;
            default:
                return operand;
        }
    }

    std::int64_t binary(const Node& node) {
        const std::int64_t a = value(node.parts[0]), b = value(node.parts[1]);
        if (fault_) return 0;
        const std::string_view op = node.text;
        if (op == "+" || op == "-") {
            std::int64_t result = 0;
            const bool overflow =
                op == "+" ? __builtin_add_overflow(a, b, &result) : __builtin_sub_overflow(a, b, &result);
            return overflow ? too_large(node) : result;
        }
        if (op == "*") return multiply(a, b, node);
        if (op == "/" || op == "%") return divide(a, b, node);
        if (op == "<<" || op == ">>") return shift(a, b, node);
        if (op == "&") return a & b;
        if (op == "|") return a | b;
        if (op == "^") return a ^ b;
        if (op == "==") return a == b;
        if (op == "!=") return a != b;
        if (op == "<=") return a <= b;
        if (op == ">=") return a >= b;
        return op == "<" ? a < b : a > b;
    }

    std::int64_t multiply(std::int64_t a, std::int64_t b, const Node& node) {
        std::int64_t result = 0;
        return __builtin_mul_overflow(a, b, &result) ? too_large(node) : result;
    }

    std::int64_t divide(std::int64_t a, std::int64_t b, const Node& node) {
        const bool remainder = node.text == "%";
        if (b == 0)
            return fail(node, remainder ? "the remainder of a division by zero" : "a division by zero");
        if (b == -1) return remainder ? 0 : a == lowest ? too_large(node) : -a;
        return remainder ? a % b : a / b;
    }

    std::int64_t shift(std::int64_t a, std::int64_t amount, const Node& node) {
        if (amount < 0 || amount > 62)
            return fail(node, "a shift by " + std::to_string(amount), "expected 0 to 62");
        return node.text == "<<" ? multiply(a, std::int64_t{1} << amount, node) : a >> amount;
    }

    std::int64_t raise(std::int64_t base, std::int64_t exponent, const Node& node) {
        if (exponent < 0) return fail(node, "a negative exponent, " + std::to_string(exponent));
        std::int64_t result = 1;
        for (;;) {
            if (exponent & 1) result = multiply(result, base, node);
            exponent >>= 1;
            if (exponent == 0 || fault_) return result;
            base = multiply(base, base, node);
        }
    }

    std::int64_t call(const Node& node) {
        std::vector<std::int64_t> arguments;
        for (const std::uint32_t part : node.parts)
            arguments.push_back(value(part));
        if (fault_) return 0;
        const std::string_view function = node.text;
        const std::int64_t a = arguments[0];
        if (function == "min") return *std::min_element(arguments.begin(), arguments.end());
        if (function == "max") return *std::max_element(arguments.begin(), arguments.end());
        if (function == "abs") return a == lowest ? too_large(node) : std::abs(a);
        if (function == "log2") {
            if (a < 1) return fail(node, "log2 of " + std::to_string(a), "expected at least 1");
            return 63 - std::countl_zero(static_cast<std::uint64_t>(a));
        }
        if (function == "pow2") {
            if (a < 0 || a > 62) return fail(node, "pow2 of " + std::to_string(a), "expected 0 to 62");
            return std::int64_t{1} << a;
        }
        const std::int64_t b = arguments[1];
        if (function == "pow") return raise(a, b, node);
        if (b <= 0) return fail(node, "ceil_div by " + std::to_string(b), "expected a positive divisor");
        return a / b + (a % b > 0);
    }

    const SyntaxTree& tree_;
    const Names& names_;
    std::optional<Fault> fault_;
};

// --- Expressions located in a file
// --------------------------------------------------------------------

Diagnostic located(const Expression& expression, const std::string& file, const Fault& fault) {
    const int column = expression.column > 0 ? expression.column + fault.column - 1 : 0;
    return error_at(file, expression.line, column, fault.message, fault.hint);
}

Result<SyntaxTree> checked_tree(const Expression& expression, const Names& names, const std::string& file,
                                expression::Caret caret = expression::Caret::exclusive_or) {
    Result<SyntaxTree> tree = expression::parse(expression.text, caret);
    if (!tree) {
        const Diagnostic& problem = tree.diagnostics().front();
        return located(expression, file, {problem.message, problem.hint, problem.column});
    }
    if (const auto fault = Checker(*tree, expression.text, names).check())
        return located(expression, file, *fault);
    return tree;
}

Result<std::int64_t> value_of(const Result<SyntaxTree>& tree, const Expression& expression,
                              const Names& names, const std::string& file) {
    if (!tree) return tree.diagnostics();
    Evaluator evaluator(*tree, names);
    const std::int64_t value = evaluator.value(tree->root);
    if (evaluator.fault()) return located(expression, file, *evaluator.fault());
    return value;
}

}  // namespace

Result<std::int64_t> evaluate(const Expression& expression, const Names& names, const std::string& file) {
    return value_of(checked_tree(expression, names, file), expression, names, file);
}

struct ElementExpression::Parsed {
    Expression expression;
    std::string name, file;
    SyntaxTree tree;
};

Result<ElementExpression> ElementExpression::make(const Expression& expression, const std::string& name,
                                                  const Names& names, const std::string& file) {
    ElementExpression made;
    made.names_ = names;
    made.names_[name] = 0;
    Result<SyntaxTree> tree = checked_tree(expression, made.names_, file);
    if (!tree) return tree.diagnostics();
    made.parsed_ = std::make_shared<const Parsed>(Parsed{expression, name, file, std::move(*tree)});
    return made;
}

Result<std::int64_t> ElementExpression::at(std::int64_t value) {
    names_.find(parsed_->name)->second = value;
    Evaluator evaluator(parsed_->tree, names_);
    const std::int64_t result = evaluator.value(parsed_->tree.root);
    if (evaluator.fault()) return located(parsed_->expression, parsed_->file, *evaluator.fault());
    return result;
}

Result<ElementCondition> ElementCondition::make(const Expression& expression, const Names& names,
                                                const std::string& file) {
    Result<ElementExpression> made = ElementExpression::make(expression, "x", names, file);
    if (!made) return made.diagnostics();
    ElementCondition condition;
    condition.expression_ = std::move(*made);
    return condition;
}

Result<bool> ElementCondition::holds(std::int64_t x) {
    const Result<std::int64_t> value = expression_.at(x);
    if (!value) return value.diagnostics();
    return *value != 0;
}

Result<std::int64_t> setting_value(std::string_view text) {
    const Expression expression{std::string(text), 0, 0};
    return value_of(checked_tree(expression, {}, {}, expression::Caret::power), expression, {}, {});
}

Result<void> check_expression(const Expression& expression, const Names& names, const std::string& file) {
    const Result<SyntaxTree> tree = checked_tree(expression, names, file);
    if (!tree) return tree.diagnostics();
    return {};
}

bool is_identifier(std::string_view text) {
    return !text.empty() && starts_name(text[0]) &&
           std::all_of(text.begin(), text.end(), [](char c) { return starts_name(c) || is_digit(c); });
}

bool is_function_name(std::string_view text) {
    return std::find(function_names.begin(), function_names.end(), text) != function_names.end();
}

}  // namespace lanescope::lesson
