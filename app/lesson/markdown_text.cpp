#include "lesson/markdown_text.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace lanescope::lesson {
namespace {

constexpr int deepest_list = 6;
constexpr std::size_t most_columns = 12;

// --- Spans -------------------------------------------------------------------------------------------------

// Bytes of letters beyond ASCII count as letters.
bool is_letter(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0;
}

class SpanParser {
  public:
    SpanParser(std::string_view text, SpanStyle style) : text_(text), style_(style) {}

    std::vector<Span> parse() {
        while (at_ < text_.size())
            if (!escaped() && !code() && !marked("**", SpanStyle::bold) && !emphasis() && !link())
                plain_ += text_[at_++];
        end_plain();
        return std::move(spans_);
    }

  private:
    // A mark that was searched for in vain stands nowhere behind that place either: a text of many marks
    // without partners is read in one pass.
    std::size_t find(std::string_view mark, std::size_t from) {
        if (missing_.contains(mark)) return text_.npos;
        const std::size_t found = text_.find(mark, from);
        if (found == text_.npos) missing_.insert(mark);
        return found;
    }
    bool here(std::string_view mark) const { return text_.substr(at_, mark.size()) == mark; }

    void end_plain() {
        if (!plain_.empty()) spans_.push_back({style_, std::move(plain_), {}, {}});
        plain_.clear();
    }
    void add(std::vector<Span> inner) {
        end_plain();
        std::move(inner.begin(), inner.end(), std::back_inserter(spans_));
    }

    bool escaped() {
        constexpr std::string_view can_be = "\\`*_[]|#!-+.";
        if (text_[at_] != '\\' || at_ + 1 >= text_.size() || can_be.find(text_[at_ + 1]) == can_be.npos)
            return false;
        plain_ += text_[at_ + 1];
        at_ += 2;
        return true;
    }
    bool code() {
        if (!here("`")) return false;
        const std::size_t end = find("`", at_ + 1);
        if (end == text_.npos || end == at_ + 1) return false;
        add({{SpanStyle::code, std::string(text_.substr(at_ + 1, end - at_ - 1)), {}, {}}});
        at_ = end + 1;
        return true;
    }
    bool marked(std::string_view mark, SpanStyle style) {
        if (!here(mark) || style_ != SpanStyle::plain) return false;
        const std::size_t end = find(mark, at_ + mark.size());
        if (end == text_.npos || end == at_ + mark.size()) return false;
        add(SpanParser(text_.substr(at_ + mark.size(), end - at_ - mark.size()), style).parse());
        at_ = end + mark.size();
        return true;
    }
    // A star that multiplies has a space or a letter at its outer side: "2 * n", "a*b".
    bool emphasis() {
        if (!here("*") || style_ != SpanStyle::plain || (at_ > 0 && is_letter(text_[at_ - 1]))) return false;
        if (at_ + 1 >= text_.size() || text_[at_ + 1] == ' ' || text_[at_ + 1] == '*') return false;
        const std::size_t end = find("*", at_ + 1);
        if (end == text_.npos || text_[end - 1] == ' ') return false;
        if (end + 1 < text_.size() && (is_letter(text_[end + 1]) || text_[end + 1] == '*')) return false;
        return marked("*", SpanStyle::emphasis);
    }
    bool link() {
        if (!here("[")) return false;
        const std::size_t middle = find("](", at_);
        const std::size_t end = middle == text_.npos ? text_.npos : find(")", middle);
        if (end == text_.npos) return false;
        std::string words(text_.substr(at_ + 1, middle - at_ - 1));
        std::erase(words, '`');
        if (words.empty()) return false;
        add({{SpanStyle::link,
              std::move(words),
              std::string(text_.substr(middle + 2, end - middle - 2)),
              {}}});
        at_ = end + 1;
        return true;
    }

    std::string_view text_;
    SpanStyle style_;
    std::size_t at_ = 0;
    std::string plain_;
    std::set<std::string_view> missing_;
    std::vector<Span> spans_;
};

// --- Lines -------------------------------------------------------------------------------------------------

std::string_view stripped(std::string_view line) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
        line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
        line.remove_suffix(1);
    return line;
}

std::size_t indent_of(std::string_view line) {
    std::size_t indent = 0;
    for (const char c : line) {
        if (c != ' ' && c != '\t') break;
        indent += c == '\t' ? 4 : 1;
    }
    return indent;
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// Returns the length of "- " or "12. " at the beginning of a trimmed line; 0: it begins no item.
std::size_t marker_length(std::string_view line) {
    if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")) return 2;
    std::size_t digits = 0;
    while (digits < line.size() && digits < 4 && line[digits] >= '0' && line[digits] <= '9')
        ++digits;
    const bool item = digits > 0 && digits < 4 && digits + 1 < line.size() &&
                      (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
    return item ? digits + 2 : 0;
}

// Returns the level of a heading; 0: the line is not one.
int heading_level(std::string_view line) {
    const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
    return marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ' ? int(marks) : 0;
}

// Splits "| a | b |" at the bars that are neither escaped nor in `code`.
std::vector<std::string> cells_of(std::string_view line) {
    if (line.starts_with('|')) line.remove_prefix(1);
    if (line.ends_with('|') && !line.ends_with("\\|")) line.remove_suffix(1);
    std::vector<std::string> cells(1);
    bool code = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '`') code = !code;
        if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|')
            cells.back() += line[++i];
        else if (line[i] == '|' && !code)
            cells.emplace_back();
        else
            cells.back() += line[i];
    }
    for (std::string& cell : cells)
        cell = std::string(stripped(cell));
    return cells;
}

// Reads "|---|--:|"; nothing if the line is not of this kind.
std::optional<std::vector<ColumnSide>> sides_in(std::string_view line) {
    line = stripped(line);
    if (!line.starts_with('|') || line.find_first_not_of("|-: ") != line.npos || line.find('-') == line.npos)
        return {};
    std::vector<ColumnSide> sides;
    for (const std::string& cell : cells_of(line))
        sides.push_back(!cell.ends_with(':')    ? ColumnSide::left
                        : cell.starts_with(':') ? ColumnSide::middle
                                                : ColumnSide::right);
    return sides;
}

// --- Paragraphs --------------------------------------------------------------------------------------------

class MarkdownParser {
  public:
    explicit MarkdownParser(std::string_view text) : rest_(text) {}

    std::vector<Paragraph> parse() {
        while (!rest_.empty()) {
            const std::string_view whole = take_line(rest_), line = stripped(whole);
            if (line.empty())
                close(), blank_ = true;
            else if (!fence(whole) && !heading(line) && !table(line) && !figure(line) && !item(whole))
                text(whole);
            if (!line.empty()) blank_ = false;
        }
        close();
        return std::move(paragraphs_);
    }

  private:
    void close() {
        if (open_) {
            open_->spans = parse_spans(words_);
            paragraphs_.push_back(std::move(*open_));
        }
        open_.reset();
        words_.clear();
    }
    Paragraph made(ParagraphKind kind) {
        close();
        Paragraph paragraph;
        paragraph.kind = kind;
        return paragraph;
    }

    bool fence(std::string_view whole) {
        if (!stripped(whole).starts_with("```")) return false;
        // "``` ```" in one line is text.
        if (stripped(whole).find("`", 3) != std::string_view::npos) return false;
        Paragraph code = made(ParagraphKind::code);
        const std::size_t indent = indent_of(whole);
        while (!rest_.empty()) {
            std::string_view line = take_line(rest_);
            if (stripped(line).starts_with("```")) break;
            line.remove_prefix(std::min({indent, indent_of(line), line.size()}));
            std::string& added = code.lines.emplace_back();
            for (const char c : line)
                added += c == '\t' ? std::string("    ") : std::string(1, c);
        }
        if (indent < 2) items_.clear();
        if (!code.lines.empty()) paragraphs_.push_back(std::move(code));
        return true;
    }
    bool heading(std::string_view line) {
        const int level = heading_level(line);
        if (level == 0) return false;
        Paragraph heading = made(ParagraphKind::heading);
        heading.level = level;
        heading.spans = parse_spans(stripped(line.substr(std::size_t(level))));
        items_.clear();
        paragraphs_.push_back(std::move(heading));
        return true;
    }
    bool table(std::string_view line) {
        if (!line.starts_with('|')) return false;
        std::string_view after = rest_;
        std::optional<std::vector<ColumnSide>> sides = sides_in(take_line(after));
        if (!sides) return false;
        Paragraph table = made(ParagraphKind::table);
        const std::size_t columns = std::min(cells_of(line).size(), most_columns);
        sides->resize(columns, ColumnSide::left);
        table.sides = std::move(*sides);
        const auto add = [&](std::string_view row) {
            std::vector<std::string> cells = cells_of(row);
            cells.resize(columns);
            TableRow& added = table.rows.emplace_back();
            for (const std::string& cell : cells)
                added.push_back(parse_spans(cell));
        };
        add(line);
        rest_ = after;
        while (!rest_.empty()) {
            after = rest_;
            const std::string_view row = stripped(take_line(after));
            if (!row.starts_with('|')) break;
            add(row);
            rest_ = after;
        }
        items_.clear();
        paragraphs_.push_back(std::move(table));
        return true;
    }
    bool figure(std::string_view line) {
        if (!line.starts_with("![") || !line.ends_with(')')) return false;
        const std::size_t middle = line.find("](");
        if (middle == line.npos) return false;
        Paragraph figure = made(ParagraphKind::figure);
        figure.spans = parse_spans(line.substr(2, middle - 2));
        figure.target = line.substr(middle + 2, line.size() - middle - 3);
        items_.clear();
        paragraphs_.push_back(std::move(figure));
        return true;
    }
    bool item(std::string_view whole) {
        const std::string_view line = stripped(whole);
        const std::size_t marker = marker_length(line);
        if (marker == 0) return false;
        // A line of a paragraph may begin with a number: "… in\n2. 3 …" is rare, but "…\n1024) …" is not.
        if (open_ && !open_->bullet && open_->number.empty() && line[0] >= '0' && line[0] <= '9')
            return false;
        close();
        const std::size_t indent = indent_of(whole);
        while (!items_.empty() && items_.back() > indent)
            items_.pop_back();
        if ((items_.empty() || indent >= items_.back() + 2) && int(items_.size()) < deepest_list)
            items_.push_back(indent);
        open_.emplace();
        open_->level = std::max(int(items_.size()), 1);
        if (line[0] >= '0' && line[0] <= '9')
            open_->number = line.substr(0, marker - 1);
        else
            open_->bullet = true;
        words_ = stripped(line.substr(marker));
        return true;
    }
    void text(std::string_view whole) {
        if (!open_) {
            // An indented paragraph behind an item belongs to it.
            if (blank_ && indent_of(whole) < 2) items_.clear();
            open_.emplace();
            open_->level = int(items_.size());
        }
        if (!words_.empty()) words_ += ' ';
        words_ += stripped(whole);
    }

    std::string_view rest_;
    std::vector<Paragraph> paragraphs_;
    std::optional<Paragraph> open_;
    std::string words_;               // of the open paragraph
    std::vector<std::size_t> items_;  // indents of the lists that are open, ascending
    bool blank_ = true;               // the last line was empty
};

}  // namespace

std::vector<Span> parse_spans(std::string_view text) {
    return SpanParser(text, SpanStyle::plain).parse();
}

std::vector<Paragraph> parse_markdown(std::string_view text) {
    return MarkdownParser(text).parse();
}

std::string plain_text(std::string_view text) {
    std::string plain;
    const auto words = [](const std::vector<Span>& spans) {
        std::string all;
        for (const Span& span : spans)
            all += span.text;
        return all;
    };
    const auto add = [&](const std::string& line) { plain += (plain.empty() ? "" : "\n") + line; };
    for (const Paragraph& paragraph : parse_markdown(text)) {
        if (paragraph.kind == ParagraphKind::figure) continue;
        for (const std::string& line : paragraph.lines)
            add(line);
        for (const TableRow& row : paragraph.rows) {
            std::string cells;
            for (const std::vector<Span>& cell : row)
                cells += (cells.empty() ? "" : " · ") + words(cell);
            add(cells);
        }
        if (paragraph.spans.empty()) continue;
        const std::string mark = paragraph.bullet           ? "• "
                                 : paragraph.number.empty() ? ""
                                                            : paragraph.number + " ";
        add(mark + words(paragraph.spans));
    }
    return plain;
}

}  // namespace lanescope::lesson
