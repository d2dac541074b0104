#include "base/text.h"

#include <cstdint>

namespace lanescope {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view text_of_line(std::string_view text, std::uint32_t number) {
    if (number == 0) return {};
    for (std::uint32_t line = 1; line < number; ++line) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {};
        text.remove_prefix(end + 1);
    }
    return trimmed(text.substr(0, text.find('\n')));
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

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text)
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\'':
                safe += "&#39;";
                break;
            case '{':
                safe += "&#123;";
                break;  // begins a page's own marks
            default:
                safe += c;
        }
    return safe;
}

std::string base64(std::string_view bytes) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j)
            group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0);
        for (std::size_t j = 0; j < 4; ++j)
            text += i + j <= bytes.size() ? digits[group >> (18 - 6 * j) & 63] : '=';
    }
    return text;
}

}  // namespace lanescope
