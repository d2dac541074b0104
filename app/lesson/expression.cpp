#include "lesson/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "lesson/suggest.h"

namespace lanescope::lesson {

namespace {

// muParser is not used here: it computes in double, and its integer mode casts to 32 bits, so 64-bit
// exactness, truncating division and overflow as an error cannot be had from it.

constexpr std::size_t max_length = 4096;
constexpr int max_depth = 64;
constexpr std::array function_names{"abs", "ceil_div", "log2", "max", "min", "pow2"};

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Evaluator {
  public:
    Evaluator(const Expression& expression, const Names& names, bool live)
        : text_(expression.text), names_(names), live_(live) {}

    std::int64_t run() {
        if (text_.size() > max_length) return fail(0, "the expression is longer than 4096 characters");
        const std::int64_t value = choice();
        skip_space();
        if (ok() && position_ < text_.size()) return unexpected("an operator or the end");
        return value;
    }

    bool ok() const { return message_.empty(); }
    Diagnostic diagnostic(const Expression& expression, const std::string& file) const {
        const int column = expression.column > 0 ? expression.column + static_cast<int>(fault_) : 0;
        return error_at(file, expression.line, column, message_, hint_);
    }

  private:
    std::int64_t fail(std::size_t at, std::string message, std::string hint = {}) {
        if (ok()) {
            message_ = std::move(message);
            hint_ = std::move(hint);
            fault_ = at;
        }
        position_ = text_.size();
        return 0;
    }

    std::int64_t unexpected(const std::string& expected) {
        skip_space();
        const std::size_t at = position_;
        if (at >= text_.size()) return fail(at, "the expression ends too early", "expected " + expected);
        std::string hint = "expected " + expected;
        if (text_[at] == '&' || text_[at] == '|' || text_[at] == '~')
            hint += "; there are no bit operators here";
        if (text_[at] == '=') hint += "; equality is ==";
        return fail(at, std::string("unexpected '") + text_[at] + "'", hint);
    }

    void skip_space() {
        while (position_ < text_.size() && is_space(text_[position_]))
            ++position_;
    }

    // Takes `token` unless a longer operator that starts with it stands there.
    bool accept(std::string_view token, std::string_view not_before = {}) {
        skip_space();
        if (text_.substr(position_, token.size()) != token) return false;
        const std::size_t after = position_ + token.size();
        if (after < text_.size() && not_before.find(text_[after]) != std::string_view::npos) return false;
        position_ = after;
        return true;
    }

    // c ? a : b, where only the chosen side may fail
    std::int64_t choice() {
        if (++depth_ > max_depth) return fail(position_, "the expression is nested too deeply");
        const std::int64_t condition = either();
        std::int64_t value = condition;
        if (accept("?")) {
            const bool live = live_;
            live_ = live && condition != 0;
            const std::int64_t yes = choice();
            if (ok() && !accept(":")) unexpected("':'");
            live_ = live && condition == 0;
            const std::int64_t no = choice();
            live_ = live;
            value = condition != 0 ? yes : no;
        }
        --depth_;
        return value;
    }

    std::int64_t either() {
        std::int64_t value = both();
        while (accept("||")) {
            const bool live = live_;
            live_ = live && value == 0;
            const std::int64_t right = both();
            live_ = live;
            value = value != 0 || right != 0;
        }
        return value;
    }

    std::int64_t both() {
        std::int64_t value = equality();
        while (accept("&&")) {
            const bool live = live_;
            live_ = live && value != 0;
            const std::int64_t right = equality();
            live_ = live;
            value = value != 0 && right != 0;
        }
        return value;
    }

    std::int64_t equality() {
        std::int64_t value = comparison();
        for (;;) {
            if (accept("=="))
                value = value == comparison();
            else if (accept("!="))
                value = value != comparison();
            else
                return value;
        }
    }

    std::int64_t comparison() {
        std::int64_t value = shift();
        for (;;) {
            if (accept("<="))
                value = value <= shift();
            else if (accept(">="))
                value = value >= shift();
            else if (accept("<", "<"))
                value = value < shift();
            else if (accept(">", ">"))
                value = value > shift();
            else
                return value;
        }
    }

    std::int64_t shift() {
        std::int64_t value = sum();
        for (;;) {
            const bool left = accept("<<");
            if (!left && !accept(">>")) return value;
            const std::size_t at = position_ - 2;
            const std::int64_t amount = sum();
            if (!live_ || !ok()) continue;
            if (amount < 0 || amount > 62)
                return fail(at, "a shift by " + std::to_string(amount), "expected 0 to 62");
            value = left ? multiply(value, std::int64_t{1} << amount, at) : value >> amount;
        }
    }

    std::int64_t sum() {
        std::int64_t value = product();
        for (;;) {
            const bool plus = accept("+");
            if (!plus && !accept("-")) return value;
            const std::size_t at = position_ - 1;
            const std::int64_t right = product();
            std::int64_t result = 0;
            const bool overflow = plus ? __builtin_add_overflow(value, right, &result)
                                       : __builtin_sub_overflow(value, right, &result);
            value = overflow && live_ ? too_large(at) : result;
        }
    }

    std::int64_t product() {
        std::int64_t value = signed_value();
        for (;;) {
            skip_space();
            const std::size_t at = position_;
            if (accept("*"))
                value = multiply(value, signed_value(), at);
            else if (accept("/"))
                value = divide(value, signed_value(), at, false);
            else if (accept("%"))
                value = divide(value, signed_value(), at, true);
            else
                return value;
        }
    }

    std::int64_t signed_value() {
        if (++depth_ > max_depth) return fail(position_, "the expression is nested too deeply");
        std::int64_t value = 0;
        skip_space();
        const std::size_t at = position_;
        if (accept("-")) {
            value = signed_value();
            value = value == std::numeric_limits<std::int64_t>::min() ? too_large(at) : -value;
        } else if (accept("+")) {
            value = signed_value();
        } else if (accept("!", "=")) {
            value = signed_value() == 0;
        } else {
            value = power();
        }
        --depth_;
        return value;
    }

    std::int64_t power() {
        const std::int64_t base = primary();
        skip_space();
        const std::size_t at = position_;
        if (!accept("^")) return base;
        const std::int64_t exponent = signed_value();  // 2^3^2 is 2^(3^2)
        if (!live_ || !ok()) return 0;
        if (exponent < 0) return fail(at, "a negative exponent, " + std::to_string(exponent));
        return raise(base, exponent, at);
    }

    std::int64_t raise(std::int64_t base, std::int64_t exponent, std::size_t at) {
        std::int64_t result = 1;
        for (;;) {
            if (exponent & 1) result = multiply(result, base, at);
            exponent >>= 1;
            if (exponent == 0 || !ok()) return result;
            base = multiply(base, base, at);
        }
    }

    std::int64_t primary() {
        skip_space();
        if (position_ >= text_.size()) return unexpected("a number, a name or '('");
        const char c = text_[position_];
        if (is_digit(c)) return number();
        if (starts_name(c)) return name();
        if (!accept("(")) return unexpected("a number, a name or '('");
        const std::int64_t value = choice();
        if (ok() && !accept(")")) return unexpected("')'");
        return value;
    }

    std::int64_t number() {
        const std::size_t at = position_;
        const bool hex = text_.substr(at, 2) == "0x" || text_.substr(at, 2) == "0X";
        const char* first = text_.data() + at + (hex ? 2 : 0);
        const char* last = text_.data() + text_.size();
        std::int64_t value = 0;
        const auto [end, status] = std::from_chars(first, last, value, hex ? 16 : 10);
        if (status == std::errc::result_out_of_range) return fail(at, "the number does not fit into 64 bits");
        if (status != std::errc{} || *first == '-') return fail(at, "a number without digits");
        if (end < last && *end == '.')
            return fail(at, "a number with a fraction",
                        "expressions are integer; a whole argument may be 0.5");
        if (end < last && (starts_name(*end) || is_digit(*end)))
            return fail(static_cast<std::size_t>(end - text_.data()), "a letter inside a number");
        position_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }

    std::int64_t name() {
        const std::size_t at = position_;
        while (position_ < text_.size() &&
               (starts_name(text_[position_]) || is_digit(text_[position_]) || text_[position_] == '.'))
            ++position_;
        const std::string_view word = text_.substr(at, position_ - at);
        skip_space();
        if (position_ < text_.size() && text_[position_] == '(') return call(word, at);
        const auto found = names_.find(word);
        if (found != names_.end()) return found->second;
        std::vector<std::string> known;
        for (const auto& [key, value] : names_)
            known.push_back(key);
        return fail(at, "unknown name '" + std::string(word) + "'", suggestion(word, known));
    }

    std::int64_t call(std::string_view function, std::size_t at) {
        if (!is_function_name(function))
            return fail(at, "unknown function '" + std::string(function) + "'",
                        suggestion(function, {function_names.begin(), function_names.end()}));
        accept("(");
        std::vector<std::int64_t> arguments;
        if (!accept(")")) {
            do
                arguments.push_back(choice());
            while (ok() && accept(","));
            if (ok() && !accept(")")) return unexpected("',' or ')'");
        }
        if (!ok()) return 0;
        const bool any_number = function == "min" || function == "max";
        const std::size_t wanted = function == "ceil_div" ? 2 : 1;
        if (any_number ? arguments.empty() : arguments.size() != wanted)
            return fail(at, std::string(function) + " got " + std::to_string(arguments.size()) + " values",
                        "expected " + std::string(any_number    ? "at least 1"
                                                  : wanted == 2 ? "2"
                                                                : "1"));
        return live_ ? apply(function, arguments, at) : 0;
    }

    std::int64_t apply(std::string_view function, const std::vector<std::int64_t>& arguments,
                       std::size_t at) {
        const std::int64_t a = arguments[0];
        if (function == "min") return *std::min_element(arguments.begin(), arguments.end());
        if (function == "max") return *std::max_element(arguments.begin(), arguments.end());
        if (function == "abs")
            return a == std::numeric_limits<std::int64_t>::min() ? too_large(at) : std::abs(a);
        if (function == "log2") {
            if (a < 1) return fail(at, "log2 of " + std::to_string(a), "expected at least 1");
            return 63 - std::countl_zero(static_cast<std::uint64_t>(a));
        }
        if (function == "pow2") {
            if (a < 0 || a > 62) return fail(at, "pow2 of " + std::to_string(a), "expected 0 to 62");
            return std::int64_t{1} << a;
        }
        const std::int64_t b = arguments[1];
        if (b <= 0) return fail(at, "ceil_div by " + std::to_string(b), "expected a positive divisor");
        return a / b + (a % b > 0);
    }

    std::int64_t multiply(std::int64_t a, std::int64_t b, std::size_t at) {
        std::int64_t result = 0;
        if (__builtin_mul_overflow(a, b, &result) && live_) return too_large(at);
        return result;
    }

    std::int64_t divide(std::int64_t a, std::int64_t b, std::size_t at, bool remainder) {
        if (!live_ || !ok()) return 0;
        if (b == 0) return fail(at, remainder ? "the remainder of a division by zero" : "a division by zero");
        if (b == -1)
            return remainder ? 0 : a == std::numeric_limits<std::int64_t>::min() ? too_large(at) : -a;
        return remainder ? a % b : a / b;
    }

    std::int64_t too_large(std::size_t at) {
        return live_ ? fail(at, "the result does not fit into 64 bits") : 0;
    }

    std::string_view text_;
    const Names& names_;
    std::size_t position_ = 0;
    bool live_;  // false inside what `?:`, && and || leave out
    int depth_ = 0;
    std::string message_, hint_;
    std::size_t fault_ = 0;
};

}  // namespace

Result<std::int64_t> evaluate(const Expression& expression, const Names& names, const std::string& file) {
    Evaluator evaluator(expression, names, true);
    const std::int64_t value = evaluator.run();
    if (!evaluator.ok()) return evaluator.diagnostic(expression, file);
    return value;
}

Result<void> check_expression(const Expression& expression, const Names& names, const std::string& file) {
    Evaluator evaluator(expression, names, false);
    evaluator.run();
    if (!evaluator.ok()) return evaluator.diagnostic(expression, file);
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
