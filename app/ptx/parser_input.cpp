#include "ptx/parser_input.h"

#include <limits>

namespace lanescope::ptx {

std::string shown(const Token& token) {
    constexpr std::size_t longest = 60;
    if (token.kind == Token::Kind::end) return "the end of the text";
    if (token.kind == Token::Kind::bad && token.text.starts_with("/*")) return "an unterminated comment";
    if (token.kind == Token::Kind::bad && token.text.starts_with('"')) return "an unterminated string";
    const std::string_view text = token.text.substr(0, longest);
    return "'" + std::string(text) + (text.size() < token.text.size() ? "…'" : "'");
}

Token Input::take() {
    last_ = current_;
    if (!failed()) current_ = lexer_.next();
    return last_;
}

bool Input::next_is(char c) const {
    if (failed()) return false;
    Lexer ahead = lexer_;
    return ahead.next().is(c);
}

bool Input::accept(char c) {
    if (!current_.is(c)) return false;
    take();
    return true;
}

bool Input::accept(std::string_view word) {
    if (!current_.is(word)) return false;
    take();
    return true;
}

bool Input::expect(char c, std::string_view where) {
    if (accept(c)) return true;
    fail_expected("'" + std::string(1, c) + "' " + std::string(where));
    return false;
}

std::string_view Input::expect_name(std::string_view what) {
    if (current_.is_word()) return take().text;
    fail_expected(what);
    return {};
}

std::uint64_t Input::expect_whole(std::string_view what) {
    const Number number = current_.kind == Token::Kind::number ? read_number(current_.text) : Number{};
    if (!number.valid || number.real) {
        fail_expected(what);
        return 0;
    }
    take();
    return number.bits;
}

std::int64_t Input::expect_offset(std::string_view what) {
    bool minus = false;
    while (at('+') || at('-'))
        minus ^= take().is('-');
    const std::uint64_t bits = expect_whole(what);
    return static_cast<std::int64_t>(minus ? 0 - bits : bits);
}

std::string_view Input::expect_string(std::string_view what) {
    if (current_.kind != Token::Kind::string) {
        fail_expected(what);
        return {};
    }
    const std::string_view text = take().text;
    return text.substr(1, text.size() - 2);
}

void Input::fail_expected(std::string_view what) {
    fail(current_, "expected " + std::string(what) + ", found " + shown(current_));
}

void Input::fail(const Token& where, std::string message, std::string hint) {
    if (failed()) return;
    error_ = error_at(name_, static_cast<int>(where.line), static_cast<int>(where.column), std::move(message),
                      std::move(hint));
    current_ = {};
}

std::string_view Input::since(const Token& first) const {
    const char* const end = last_.text.data() + last_.text.size();
    if (failed() || end < first.text.data()) return {};
    return {first.text.data(), static_cast<std::size_t>(end - first.text.data())};
}

}  // namespace lanescope::ptx
