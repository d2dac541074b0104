// Splits CUDA C++, PTX or Python for colouring into keywords, numbers, comments, …. Any text gives tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanescope::scene {

enum class TokenKind : std::uint8_t { plain, keyword, type_name, builtin, number, string, comment };

struct Token {
    std::uint32_t begin = 0, length = 0;  // bytes within the line
    TokenKind kind = TokenKind::plain;
};

enum class Language : std::uint8_t { cuda, python };

// Tokens of every line, ascending; what lies between them is plain. Lines end at '\n'; a '\r' before it
// belongs to no token.
std::vector<std::vector<Token>> tokens_of_lines(std::string_view text, Language language = Language::cuda);

}  // namespace lanescope::scene
