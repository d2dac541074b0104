// Hints for buttons: what they do, and which key does the same.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::ui {

// Returns what a button with this label does, and its key if it has one: "edit the source (E)"; empty for an
// unknown label. A label with a value ("step: line", "Problems (2)") is known by the text before the value.
std::string key_hint(std::string_view label);

}  // namespace lanescope::ui
