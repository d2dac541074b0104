// The subset of Markdown that lessons use: headings, paragraphs, lists that nest, fenced code, tables,
// figures, `code`, **bold**, *emphasis*, [links](target).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

// A place in a text where a term of the glossary stands: bytes [begin, end).
struct TermSpan {
    std::size_t begin = 0, end = 0;
    std::size_t term = 0;
    bool ambiguous = false;  // the word may have another sense here
};

enum class SpanStyle : std::uint8_t { plain, bold, emphasis, code, link };

struct Span {
    SpanStyle style = SpanStyle::plain;
    std::string text;
    std::string target;           // of a link
    std::vector<TermSpan> terms;  // underlined terms, which the mouse explains
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
// The words of a text without marks, for places that show one font: a line for each paragraph, each item and
// each row of a table; without figures.
std::string plain_text(std::string_view text);

}  // namespace lanescope::lesson
