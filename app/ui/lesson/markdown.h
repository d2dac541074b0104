// The little Markdown that lessons are written in: paragraphs, lists, `code`, **bold**, [links](target).
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
    std::vector<TermSpan> terms;  // that are underlined, and explained under the mouse; see mark_terms
};

struct Paragraph {
    bool bullet = false;
    std::vector<Span> spans;
};

// Never fails: marks without a partner are text.
std::vector<Paragraph> parse_markdown(std::string_view text);

// Finds the glossary's terms in plain and bold text: each is underlined where it comes first.
void mark_terms(std::vector<Paragraph>& paragraphs, const Glossary& glossary);

// Wraps the paragraphs into `width` and draws them when `draw` is not null. Returns the height; `clicked`
// gets the target of a link that was clicked.
float lay_out_markdown(ImDrawList* draw, const std::vector<Paragraph>& paragraphs, ImVec2 at, float width,
                       const WindowState& window, std::string* clicked = nullptr);

}  // namespace lanescope::ui
