// A frame as a vector picture: SVG for pages, slides and word processors, TikZ for LaTeX. Letters stay text.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "ui/vector/shapes.h"

namespace lanescope::ui {

struct VectorFrame {
    render::Extent size;
    ImU32 background = 0;
    std::vector<Surface> surfaces;  // on the background, below all shapes
    std::vector<Shape> shapes;
};

// Returns an SVG element of the frame's size with its shapes. `id` begins with a letter and differs between
// the pictures of one page. Errors: an image that cannot be packed.
Result<std::string> svg_of(const VectorFrame& frame, const std::string& id);

// Returns CSS that brings the typefaces of these frames along, so that a picture looks the same where they
// are not installed. Errors: a font's file cannot be read.
Result<std::string> font_rules(const std::vector<VectorFrame>& frames);

// Returns a file of its own, with the fonts.
Result<std::string> svg_file(const VectorFrame& frame);

// Returns a tikzpicture as wide as a column of text (345 pt), for \input. Errors: the frame has an image.
Result<std::string> tikz_of(const VectorFrame& frame);

}  // namespace lanescope::ui
