// Draws the Markdown of lessons, which lesson/course/markdown_text.h reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lesson/course/markdown_text.h"
#include "scene/words/glossary.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

using lesson::ColumnSide;
using lesson::Paragraph;
using lesson::ParagraphKind;
using lesson::parse_markdown;
using lesson::parse_spans;
using lesson::Span;
using lesson::SpanStyle;
using lesson::TableRow;

// Underlines the first occurrence of each of the glossary's terms in plain and bold text.
void mark_terms(std::vector<Paragraph>& paragraphs, const Glossary& glossary);

// Draws the figures of a text.
class FigureSource {
  public:
    virtual ~FigureSource() = default;
    virtual float figure_height(const std::string& target, float width, const WindowState& window) = 0;
    // Returns whether the figure was clicked.
    virtual bool draw_figure(ImDrawList* draw, const std::string& target, const Rect& area,
                             const WindowState& window) = 0;
};

// What a text needs besides its place. Both may be null.
struct MarkdownUse {
    std::string* clicked = nullptr;   // gets the target of a clicked link; of a figure: figure_link + target
    FigureSource* figures = nullptr;  // null: only the captions are drawn
};
constexpr const char* figure_link = "figure:";

// Wraps the paragraphs into `width`, and draws them unless `draw` is null. Returns the height.
float lay_out_markdown(ImDrawList* draw, const std::vector<Paragraph>& paragraphs, ImVec2 at, float width,
                       const WindowState& window, const MarkdownUse& use = {});
// The same; `clicked` gets the target of a clicked link.
inline float lay_out_markdown(ImDrawList* draw, const std::vector<Paragraph>& paragraphs, ImVec2 at,
                              float width, const WindowState& window, std::string* clicked) {
    return lay_out_markdown(draw, paragraphs, at, width, window, MarkdownUse{clicked, nullptr});
}

}  // namespace lanescope::ui
