// Which key does the same as a button.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::ui {

// What a button with this label does, and its key if it has one: "edit the source (E)"; empty for an unknown
// label. Labels that carry a value ("step: line", "Problems (2)") are known by what stands before it.
std::string key_hint(std::string_view label);

}  // namespace lanescope::ui
