#include "ptx/lexer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace lanescope::ptx {
namespace {

enum : std::uint8_t { word_start = 1, word_part = 2, digit = 4, blank = 8 };

constexpr std::array<std::uint8_t, 256> make_classes() {
    std::array<std::uint8_t, 256> classes{};
    for (unsigned c = 'a'; c <= 'z'; ++c)
        classes[c] = word_start | word_part;
    for (unsigned c = 'A'; c <= 'Z'; ++c)
        classes[c] = word_start | word_part;
    for (unsigned c = '0'; c <= '9'; ++c)
        classes[c] = word_part | digit;
    for (const unsigned char c : {'_', '$'})
        classes[c] = word_start | word_part;
    classes['%'] = word_start;
    for (const unsigned char c : {' ', '\t', '\r', '\n', '\v', '\f'})
        classes[c] = blank;
    return classes;
}
constexpr std::array<std::uint8_t, 256> classes = make_classes();

bool has_class(char c, std::uint8_t mask) {
    return (classes[static_cast<unsigned char>(c)] & mask) != 0;
}

std::size_t word_length(std::string_view text) {
    std::size_t n = 1;
    while (n < text.size() && has_class(text[n], word_part))
        ++n;
    return n;
}

}  // namespace

Token Lexer::next() {
    skip_blanks();
    if (at_ >= text_.size()) return take(Token::Kind::end, 0);
    if (bad_comment_) return take(Token::Kind::bad, text_.size() - at_);
    const char c = text_[at_];
    if (has_class(c, digit)) return take(Token::Kind::number, number_length());
    if (has_class(c, word_start)) return take(Token::Kind::word, word_length(text_.substr(at_)));
    if (c == '.') {
        const std::size_t length = dotted_length();
        return take(length > 1 ? Token::Kind::dotted : Token::Kind::punctuation, length);
    }
    if (c == '"') {
        const std::size_t length = string_length();
        return length ? take(Token::Kind::string, length) : take(Token::Kind::bad, 1);
    }
    const bool known = std::string_view("()[]{}<>,;:=+-*/@!|&^~?").find(c) != std::string_view::npos;
    return take(known ? Token::Kind::punctuation : Token::Kind::bad, 1);
}

Token Lexer::take(Token::Kind kind, std::size_t length) {
    Token token{kind, text_.substr(at_, length), line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)};
    at_ += length;
    return token;
}

void Lexer::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            line_start_ = ++at_;
        } else if (has_class(c, blank)) {
            ++at_;
        } else if (c != '/' || !skip_comment()) {
            return;
        }
    }
}

bool Lexer::skip_comment() {
    const char second = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (second == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        return true;
    }
    if (second != '*') return false;
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) {
        bad_comment_ = true;
        return false;
    }
    for (std::size_t newline = text_.find('\n', at_); newline < close;
         newline = text_.find('\n', newline + 1)) {
        ++line_;
        line_start_ = newline + 1;
    }
    at_ = close + 2;
    return true;
}

// Takes digits, letters and the parts of decimal fractions. read_number detects invalid numbers.
std::size_t Lexer::number_length() const {
    const std::string_view rest = text_.substr(at_);
    const bool prefixed = rest.size() > 1 && rest[0] == '0' && has_class(rest[1], word_start);
    std::size_t n = word_length(rest);
    if (prefixed) return n;
    if (n < rest.size() && rest[n] == '.' && n + 1 < rest.size() && has_class(rest[n + 1], digit))
        n += word_length(rest.substr(n));
    const bool exponent =
        n < rest.size() && (rest[n] == '+' || rest[n] == '-') && (rest[n - 1] == 'e' || rest[n - 1] == 'E');
    if (exponent && n + 1 < rest.size() && has_class(rest[n + 1], digit)) n += word_length(rest.substr(n));
    return n;
}

std::size_t Lexer::string_length() const {
    for (std::size_t n = at_ + 1; n < text_.size() && text_[n] != '\n'; ++n) {
        if (text_[n] == '"') return n + 1 - at_;
        if (text_[n] == '\\') ++n;
    }
    return 0;
}

std::size_t Lexer::dotted_length() const {
    const std::string_view rest = text_.substr(at_);
    std::size_t n = word_length(rest);
    while (n > 1 && n + 2 < rest.size() && rest[n] == ':' && rest[n + 1] == ':' &&
           has_class(rest[n + 2], word_part))
        n += 2 + word_length(rest.substr(n + 2));
    return n;
}

namespace {

Number whole(std::string_view digits, int base) {
    Number number;
    if (digits.ends_with('U')) digits.remove_suffix(1);
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number.bits, base);
    number.valid = !digits.empty() && stop == end && error == std::errc{};
    return number;
}

Number real_bits(std::string_view digits, bool is_double) {
    const bool right_size = digits.size() == (is_double ? 16 : 8) && !digits.ends_with('U');
    Number number = right_size ? whole(digits, 16) : Number{};
    number.real = true;
    number.real_is_double = is_double;
    return number;
}

Number decimal_real(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    Number number;
    number.valid = stop == end && error == std::errc{};
    number.real = number.real_is_double = true;
    number.bits = std::bit_cast<std::uint64_t>(value);
    return number;
}

}  // namespace

Number read_number(std::string_view text) {
    if (text.size() > 1 && text[0] == '0') {
        const std::string_view rest = text.substr(2);
        switch (text[1]) {
            case 'x':
            case 'X':
                return whole(rest, 16);
            case 'b':
            case 'B':
                return whole(rest, 2);
            case 'f':
            case 'F':
                return real_bits(rest, false);
            case 'd':
            case 'D':
                return real_bits(rest, true);
            default:
                break;
        }
    }
    if (text.find_first_of(".eE") != std::string_view::npos) return decimal_real(text);
    if (text.size() > 1 && text[0] == '0' && text != "0U") return whole(text.substr(1), 8);
    return whole(text, 10);
}

}  // namespace lanescope::ptx
