// Keys, independent of the window system's codes, and their names as text.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope::ui {

// `character` stands for the typed character, so that it works on every keyboard layout.
enum class Key : std::uint8_t {
    character,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    escape,
    tab,
    enter,
    f1,
    f5 = f1 + 4,
    f9 = f5 + 4,
    f10,
    f11,
    f12
};

// A key with its modifiers. Shift counts only if the key is not a character, or if Ctrl is held.
struct Chord {
    Key key{};
    char32_t character = 0;  // in lower case; only for Key::character
    bool shift = false, control = false;
    bool operator==(const Chord&) const = default;
};
using KeyPress = Chord;

constexpr Chord typed(char32_t character) {
    return {Key::character, character};
}
constexpr Chord control(char32_t character, bool shift = false) {
    return {Key::character, character, shift, true};
}
constexpr Chord control(Key key, bool shift = false) {
    return {key, 0, shift, true};
}
constexpr Chord shifted(Key key) {
    return {key, 0, true};
}

// Returns whether the key types a character (without Ctrl).
constexpr bool is_typed(const Chord& chord) {
    return chord.key == Key::character && !chord.control;
}

// "Ctrl + Shift + S", "Page Up", "←".
std::string to_text(const Chord& chord);

}  // namespace lanescope::ui
