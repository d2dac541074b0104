#include "ui/actions/keys.h"

namespace lanescope::ui {
namespace {

std::string name_of(char32_t character) {
    if (character == U' ') return "Space";
    if (character == U'-') return "−";
    const char letter = static_cast<char>(character);
    return {letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter};
}

std::string name_of(Key key) {
    static constexpr const char* names[] = {"",          "←",    "→",   "↑",   "↓",   "Page Up",
                                            "Page Down", "Home", "End", "Esc", "Tab", "Enter"};
    if (key >= Key::f1) return "F" + std::to_string(int(key) - int(Key::f1) + 1);
    return names[std::size_t(key)];
}

}  // namespace

std::string to_text(const Chord& chord) {
    return std::string(chord.control ? "Ctrl + " : "") + (chord.shift ? "Shift + " : "") +
           (chord.key == Key::character ? name_of(chord.character) : name_of(chord.key));
}

}  // namespace lanescope::ui
