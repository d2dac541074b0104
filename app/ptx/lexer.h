// Splits PTX text into tokens, one at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        end,
        word,         // an identifier: r1, %r1, $L__BB0_1, _
        dotted,       // a word with its dot: .reg, .v4, .shared::cta, .2d
        number,       // in its spelling, without sign: 42, 0x1F, 0f3F800000, 1.5e3
        string,       // with its quotes
        punctuation,  // one character
        bad,          // a character or comment that is not PTX; `text` is its position
    };
    Kind kind = Kind::end;
    std::string_view text;
    std::uint32_t line = 1;  // of the token's first character, from 1
    std::uint32_t column = 1;

    bool is(char c) const { return kind == Kind::punctuation && text[0] == c; }
    bool is(std::string_view word) const { return text == word && kind != Kind::string; }
    bool is_word() const { return kind == Kind::word; }
};

// Returns whether the second token follows the first without a gap.
inline bool touches(const Token& first, const Token& second) {
    return first.text.data() + first.text.size() == second.text.data();
}

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    // Returns the next token; at the end of the text, always Kind::end.
    Token next();
    // Returns the position from which next() reads, before any white space and comments.
    std::size_t position() const { return at_; }

  private:
    void skip_blanks();
    bool skip_comment();
    Token take(Token::Kind kind, std::size_t length);
    std::size_t number_length() const;
    std::size_t string_length() const;
    std::size_t dotted_length() const;

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    std::uint32_t line_ = 1;
    bool bad_comment_ = false;
};

// The value of a number token. Supports the suffix U and the forms 0x, 0b, 0 (octal), 0f, 0d.
struct Number {
    bool valid = false;
    bool real = false;  // `bits` is a float (0f) or a double (0d, decimal fractions)
    bool real_is_double = false;
    std::uint64_t bits = 0;
};
Number read_number(std::string_view text);

}  // namespace lanescope::ptx
