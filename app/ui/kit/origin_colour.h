// The colours of places in an array: hue for the column, brightness for the row.
#pragma once

#include <imgui.h>

namespace lanescope::ui {

// From 0 (first) to 1 (last). Text in text_strong is readable on it.
ImU32 origin_colour(float column, float row);

}  // namespace lanescope::ui
