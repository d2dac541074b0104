// The subset of Markdown that lessons use: paragraphs, lists, `code`, **bold**, [links](target).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/words/glossary.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

enum class SpanStyle : std::uint8_t { plain, bold, code, link };

struct Span {
    SpanStyle style = SpanStyle::plain;
    std::string text;
    std::string target;           // of a link
    std::vector<TermSpan> terms;  // underlined terms, which the mouse explains; see mark_terms
};

struct Paragraph {
    bool bullet = false;
    std::vector<Span> spans;
};

// Parses any text; marks without a partner are plain text.
std::vector<Paragraph> parse_markdown(std::string_view text);

// Underlines the first occurrence of each of the glossary's terms in plain and bold text.
void mark_terms(std::vector<Paragraph>& paragraphs, const Glossary& glossary);

// Wraps the paragraphs into `width`, and draws them unless `draw` is null. Returns the height. `clicked` gets
// the target of a clicked link.
float lay_out_markdown(ImDrawList* draw, const std::vector<Paragraph>& paragraphs, ImVec2 at, float width,
                       const WindowState& window, std::string* clicked = nullptr);

}  // namespace lanescope::ui
