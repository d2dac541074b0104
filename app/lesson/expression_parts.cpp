#include <algorithm>
#include <charconv>
#include <cmath>

#include "lesson/expression.h"

namespace lanescope::lesson {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

Expression without_blanks(const Expression& whole, std::size_t begin, std::size_t end) {
    while (begin < end && is_space(whole.text[begin]))
        ++begin;
    while (end > begin && is_space(whole.text[end - 1]))
        --end;
    return {whole.text.substr(begin, end - begin), whole.line,
            whole.column > 0 ? whole.column + static_cast<int>(begin) : 0};
}

// Splits [begin, end) at `separator` outside parentheses.
std::vector<Expression> split(const Expression& whole, std::size_t begin, std::size_t end, char separator) {
    std::vector<Expression> parts;
    int depth = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const char c = whole.text[i];
        depth += (c == '(') - (c == ')');
        if (c != separator || depth != 0) continue;
        parts.push_back(without_blanks(whole, begin, i));
        begin = i + 1;
    }
    parts.push_back(without_blanks(whole, begin, end));
    return parts;
}

}  // namespace

std::optional<double> real_literal(std::string_view text) {
    if (text.find_first_of(".eE") == std::string_view::npos) return std::nullopt;
    if (!text.empty() && text[0] == '+') text.remove_prefix(1);
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

Result<Call> parse_call(const Expression& expression, const std::string& file) {
    const Expression whole = without_blanks(expression, 0, expression.text.size());
    const std::size_t open = whole.text.find('(');
    Call call;
    call.name = without_blanks(whole, 0, std::min(open, whole.text.size()));
    if (!is_identifier(call.name.text))
        return error_at(file, whole.line, whole.column, "'" + whole.text + "' is not of the form name(a, b)");
    if (open == std::string::npos) return call;
    if (whole.text.back() != ')')
        return error_at(file, whole.line, whole.column, "'" + whole.text + "' does not end with ')'");
    if (without_blanks(whole, open + 1, whole.text.size() - 1).text.empty()) return call;
    call.arguments = split(whole, open + 1, whole.text.size() - 1, ',');
    return call;
}

Result<Repeat> parse_repeat(const Expression& expression, const std::string& file) {
    const auto parts = split(expression, 0, expression.text.size(), ';');
    const std::size_t equals = parts[0].text.find('=');
    Repeat repeat;
    if (parts.size() == 3 && equals != std::string::npos) {
        repeat.name = without_blanks(parts[0], 0, equals).text;
        repeat.first = without_blanks(parts[0], equals + 1, parts[0].text.size());
        repeat.condition = parts[1];
        repeat.next = parts[2];
    }
    if (!is_identifier(repeat.name) || is_function_name(repeat.name))
        return error_at(file, expression.line, expression.column,
                        "'" + expression.text + "' is not a repetition",
                        "expected \"r = first; condition; next value\", as in \"r = n / 2; r >= 1; r / 2\"");
    return repeat;
}

}  // namespace lanescope::lesson
