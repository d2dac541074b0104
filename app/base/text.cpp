#include "base/text.h"

namespace lanescope {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        c = lower_case(c);
    return lower;
}

std::size_t character_count(std::string_view utf8) {
    return static_cast<std::size_t>(std::count_if(
        utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded_right(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, character_count(text)), ' ');
}

std::string padded_left(std::string_view text, std::size_t width) {
    return std::string(width - std::min(width, character_count(text)), ' ') + std::string(text);
}

}  // namespace lanescope
