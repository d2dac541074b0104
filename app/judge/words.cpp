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

}  // namespace lanescope::judge
