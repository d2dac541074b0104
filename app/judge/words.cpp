#include "judge/words.h"

namespace lanescope::judge {

std::string folded(std::string_view text) {
    std::string folded;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\n' || c == '\t';
        if (!space)
            folded += c;
        else if (!folded.empty() && folded.back() != ' ')
            folded += ' ';
    }
    return folded;
}

std::string shortened(std::string_view text, std::size_t most_bytes) {
    const std::string words = folded(text);
    if (words.size() <= most_bytes) return words;
    std::size_t end = words.rfind(' ', most_bytes);
    if (end == words.npos)  // one long word: not within a character
        for (end = most_bytes; end > 0 && (static_cast<unsigned char>(words[end]) & 0xc0) == 0x80;)
            --end;
    return words.substr(0, end) + " …";
}

std::string of_points(int points, int most) {
    return std::to_string(points) + " of " + std::to_string(most) + (most == 1 ? " point" : " points");
}

}  // namespace lanescope::judge
