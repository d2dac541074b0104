// The parser's input: one token at a time. After the first error, all tokens are Kind::end.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/lexer.h"

namespace lanescope::ptx {

class Input {
  public:
    Input(std::string_view text, std::string name) : lexer_(text), name_(std::move(name)) {
        current_ = lexer_.next();
    }

    const Token& peek() const { return current_; }
    Token take();
    bool at(char c) const { return current_.is(c); }
    bool at_end() const { return current_.kind == Token::Kind::end; }
    bool next_is(char c) const;  // tests the token after the current one

    bool accept(char c);
    bool accept(std::string_view word);
    // Errors say what was expected, e.g. "expected ';' after the operands, found '}'".
    bool expect(char c, std::string_view where);
    std::string_view expect_name(std::string_view what);    // a word; empty after an error
    std::uint64_t expect_whole(std::string_view what);      // a number without sign; 0 after an error
    std::int64_t expect_offset(std::string_view what);      // [+|-] number
    std::string_view expect_string(std::string_view what);  // without the quotes

    void fail_expected(std::string_view what);
    void fail(const Token& where, std::string message, std::string hint = {});
    bool failed() const { return error_.has_value(); }
    const Diagnostic& diagnostic() const { return *error_; }

    // Returns the text from this token to the end of the last taken token.
    std::string_view since(const Token& first) const;

  private:
    Lexer lexer_;
    std::string name_;
    Token current_;
    Token last_;
    std::optional<Diagnostic> error_;
};

std::string shown(const Token& token);  // "';'", "the end of the text"; shortens long tokens

}  // namespace lanescope::ptx
