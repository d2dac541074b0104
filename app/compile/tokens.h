// C++ source text as tokens: enough to tell code from comments, strings and preprocessor lines.
// What is modelled: line and block comments, string, character and raw string literals with their prefixes,
// numbers with digit separators, preprocessor lines with continuations. Trigraphs and digraphs are not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct Token {
    enum class Kind : std::uint8_t { identifier, number, string, character, punctuation, directive };
    Kind kind = Kind::punctuation;
    std::size_t begin = 0;  // byte offsets [begin, end) in the text
    std::size_t end = 0;
    std::string_view text;  // into the scanned text, which must outlive the token

    bool is(std::string_view what) const { return kind != Kind::string && text == what; }
    bool is_identifier() const { return kind == Kind::identifier; }
};

// Never fails: an unterminated literal or comment ends at the end of its line or of the text. "::" is one
// token,
// "<<<" too; every other punctuation mark is one token each. A directive token is the whole preprocessor
// line.
std::vector<Token> tokenize(std::string_view text);

// "define" of "#  define X 1"; the rest of the line, continuations and comments removed, goes to `rest`.
std::string_view directive_name(const Token& directive, std::string* rest = nullptr);

}  // namespace lanescope::compile
