// Text as HTML: what pages of runs and decks of slides share.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "lesson/course/markdown_text.h"

namespace lanescope::page {

// Replaces every occurrence of `mark`.
void replace_mark(std::string& text, std::string_view mark, const std::string& by);

// Returns the HTML of a figure, its caption included.
using FigureHtml = std::function<std::string(const lesson::Paragraph&)>;
std::string html_of(const std::vector<lesson::Span>& spans);
std::string html_of(const std::vector<lesson::Paragraph>& paragraphs, const FigureHtml& figure);

}  // namespace lanescope::page
