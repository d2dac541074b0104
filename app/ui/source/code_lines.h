// Lines of source as all views of code draw them.
#pragma once

#include <imgui.h>

#include "scene/source/source_document.h"
#include "ui/state/scenes.h"

namespace lanescope::ui {

// The line's text in its colours from `at`; what lies right of `right` is left out.
void draw_code_line(ImDrawList* draw, const SourceDocument& document, std::size_t line, ImVec2 at,
                    float right);

}  // namespace lanescope::ui
