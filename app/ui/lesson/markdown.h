// The subset of Markdown that lessons use: headings, paragraphs, lists that nest, fenced code, tables,
// figures, `code`, **bold**, *emphasis*, [links](target).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/words/glossary.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

enum class SpanStyle : std::uint8_t { plain, bold, emphasis, code, link };

struct Span {
    SpanStyle style = SpanStyle::plain;
    std::string text;
    std::string target;           // of a link
    std::vector<TermSpan> terms;  // underlined terms, which the mouse explains; see mark_terms
};

enum class ParagraphKind : std::uint8_t { text, heading, code, table, figure };
enum class ColumnSide : std::uint8_t { left, middle, right };

// A row of a table: the spans of each cell.
using TableRow = std::vector<std::vector<Span>>;

struct Paragraph {
    ParagraphKind kind = ParagraphKind::text;
    bool bullet = false;
    std::string number;              // of an item of a numbered list: "2."
    int level = 0;                   // of a heading, from 1; of text: how many lists it stands in
    std::vector<Span> spans;         // of text or a heading; of a figure: its caption
    std::vector<std::string> lines;  // of code
    std::vector<TableRow> rows;      // of a table: the heading first; as many cells in each row
    std::vector<ColumnSide> sides;   // of a table's columns
    std::string target;              // of a figure: "stage?line=31"
};

// Parses any text; marks without a partner are plain text.
std::vector<Paragraph> parse_markdown(std::string_view text);
// Parses a text without paragraphs, such as a cell of a table.
std::vector<Span> parse_spans(std::string_view text);

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
