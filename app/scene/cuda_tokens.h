// CUDA C++ for colouring: which part of each line is a keyword, a number, a comment. No parser: any text
// gives tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

enum class TokenKind : std::uint8_t { plain, keyword, type_name, builtin, number, string, comment };

struct Token {
    std::uint32_t begin = 0, length = 0;  // bytes within the line
    TokenKind kind = TokenKind::plain;
};

// What a line inherits from the one above.
struct TokenState {
    enum class Inside : std::uint8_t { code, comment, raw_string };
    Inside inside = Inside::code;
    std::string raw_end;  // of a raw string: `)delimiter"`
};

// Tokens of one line (without its newline), ascending; what lies between them is plain. Updates the state.
std::vector<Token> tokenise_line(std::string_view line, TokenState& state);

}  // namespace lanescope::scene
