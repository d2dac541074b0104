// Draws lines of source, for all views of code.
#pragma once

#include <imgui.h>

#include "scene/source/source_document.h"
#include "ui/state/scenes.h"

namespace lanescope::ui {

// Draws the line's text in its colours from `at`. Text beyond `right` is left out.
void draw_code_line(ImDrawList* draw, const SourceDocument& document, std::size_t line, ImVec2 at,
                    float right);
// Draws only these bytes of the line.
void draw_code_part(ImDrawList* draw, const SourceDocument& document, std::size_t line, std::size_t first,
                    std::size_t length, ImVec2 at, float right);

}  // namespace lanescope::ui
