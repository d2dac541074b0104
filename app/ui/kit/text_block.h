// A paragraph in one font, wrapped between words.
#pragma once

#include <imgui.h>

#include <string_view>

namespace lanescope::ui {

// Height that the text needs at this width, px.
float text_block_height(ImFont* font, std::string_view text, float width);
// Draws it; returns the height.
float draw_text_block(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                      float width);

}  // namespace lanescope::ui
