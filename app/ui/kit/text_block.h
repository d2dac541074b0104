// A paragraph in one font, wrapped between words.
#pragma once

#include <imgui.h>

#include <string_view>

#include "ui/kit/view.h"

namespace lanescope::ui {

// Returns the height that the text needs at this width, px.
float text_block_height(ImFont* font, std::string_view text, float width);
// Draws the text and returns its height, px.
float draw_text_block(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                      float width);
// Does the same on the current panel, from the top left of the box and as wide as the box.
float draw_text_block(ImFont* font, const Rect& box, ImU32 colour, std::string_view text);

}  // namespace lanescope::ui
