// Small functions on texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace lanescope {

// Without blanks, tabs and ends of lines at both ends.
std::string_view trimmed(std::string_view text);
// A line, from 1, without the blanks around it; empty if the text does not have it.
std::string_view text_of_line(std::string_view text, std::uint32_t number);
// ASCII letters in the other case, in every locale. std::tolower follows the locale of the user, which GLFW
// sets: under a Turkish one it leaves 'I' as it is.
constexpr char lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr char upper_case(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
std::string lower_case(std::string_view text);
std::size_t character_count(std::string_view utf8);

// These return the text with blanks before or behind it, so that it has the width in characters.
std::string padded_right(std::string_view text, std::size_t width);
std::string padded_left(std::string_view text, std::size_t width);

// As text in HTML or SVG: no character is markup, nor the beginning of a mark such as {{title}}.
std::string escaped(std::string_view text);
std::string base64(std::string_view bytes);

inline bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace lanescope
