#include "lesson/course/markdown_text.h"

#include <md4c.h>

#include <algorithm>

#include "base/text.h"

namespace lanescope::lesson {
namespace {

constexpr int deepest_list = 6;
constexpr std::size_t most_columns = 12;

// Makes paragraphs of the blocks and spans that md4c finds.
class Reader {
  public:
    std::vector<Paragraph> read(std::string_view text) {
        const MD_PARSER parser{
            0,
            MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_TABLES | MD_FLAG_UNDERLINE,
            [](MD_BLOCKTYPE type, void* detail, void* self) { return of(self).enter(type, detail); },
            [](MD_BLOCKTYPE type, void*, void* self) { return of(self).leave(type); },
            [](MD_SPANTYPE type, void* detail, void* self) { return of(self).enter(type, detail); },
            [](MD_SPANTYPE type, void*, void* self) { return of(self).leave(type); },
            [](MD_TEXTTYPE type, const MD_CHAR* words, MD_SIZE size, void* self) {
                return of(self).add(type, {words, size});
            },
            nullptr,
            nullptr};
        md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this);
        return std::move(paragraphs_);
    }

  private:
    struct List {
        std::string delimiter;  // of numbers; empty: bullets
        unsigned number = 0;
    };
    static Reader& of(void* self) { return *static_cast<Reader*>(self); }

    int enter(MD_BLOCKTYPE type, void* detail) {
        spans_ = nullptr;
        switch (type) {
            case MD_BLOCK_UL:
                lists_.emplace_back();
                break;
            case MD_BLOCK_OL: {
                const auto* list = static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
                lists_.push_back({std::string(1, list->mark_delimiter), list->start});
                break;
            }
            case MD_BLOCK_LI:
                item_ = true;
                break;
            case MD_BLOCK_H:
                open(ParagraphKind::heading).level =
                    static_cast<int>(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level);
                break;
            case MD_BLOCK_CODE:
                open(ParagraphKind::code).lines.emplace_back();
                break;
            case MD_BLOCK_TABLE:
                open(ParagraphKind::table);
                break;
            case MD_BLOCK_TR:
                paragraphs_.back().rows.emplace_back();
                break;
            case MD_BLOCK_TH:
                add_column(static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align);
                [[fallthrough]];
            case MD_BLOCK_TD:
                spans_ = &paragraphs_.back().rows.back().emplace_back();
                break;
            default:
                break;
        }
        return 0;
    }
    int leave(MD_BLOCKTYPE type) {
        spans_ = nullptr;
        styles_.clear();
        if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
        if (type == MD_BLOCK_LI) item_ = false;
        if (type == MD_BLOCK_TR) paragraphs_.back().rows.back().resize(paragraphs_.back().sides.size());
        if (type == MD_BLOCK_CODE) {
            paragraphs_.back().lines.pop_back();  // each line ends with '\n'
            if (paragraphs_.back().lines.empty()) paragraphs_.pop_back();
        }
        return 0;
    }
    Paragraph& open(ParagraphKind kind) {
        Paragraph& paragraph = paragraphs_.emplace_back();
        paragraph.kind = kind;
        spans_ = &paragraph.spans;
        return paragraph;
    }
    void open_text() {
        Paragraph& paragraph = open(ParagraphKind::text);
        paragraph.level = std::min(static_cast<int>(lists_.size()), deepest_list);
        if (!item_) return;
        item_ = false;
        List& list = lists_.back();
        paragraph.bullet = list.delimiter.empty();
        if (!paragraph.bullet) paragraph.number = std::to_string(list.number++) + list.delimiter;
    }
    void add_column(MD_ALIGN align) {
        std::vector<ColumnSide>& sides = paragraphs_.back().sides;
        if (sides.size() < most_columns)
            sides.push_back(align == MD_ALIGN_RIGHT    ? ColumnSide::right
                            : align == MD_ALIGN_CENTER ? ColumnSide::middle
                                                       : ColumnSide::left);
    }

    int enter(MD_SPANTYPE type, void* detail) {
        if (type == MD_SPAN_U) return add(MD_TEXT_NORMAL, "_");
        const SpanStyle style = type == MD_SPAN_STRONG ? SpanStyle::bold
                                : type == MD_SPAN_EM   ? SpanStyle::emphasis
                                : type == MD_SPAN_CODE ? SpanStyle::code
                                                       : SpanStyle::link;
        styles_.push_back(style);
        begun_ = true;
        if (style == SpanStyle::link) {
            const MD_ATTRIBUTE& target = static_cast<const MD_SPAN_A_DETAIL*>(detail)->href;
            target_.assign(target.text, target.size);
        }
        return 0;
    }
    int leave(MD_SPANTYPE type) {
        if (type == MD_SPAN_U) return add(MD_TEXT_NORMAL, "_");
        if (!styles_.empty()) styles_.pop_back();  // md4c ends some spans twice
        begun_ = true;
        return 0;
    }
    int add(MD_TEXTTYPE type, std::string_view words) {
        if (spans_ == nullptr) open_text();
        if (paragraphs_.back().kind == ParagraphKind::code) return add_code(words);
        if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) words = " ";
        if (type == MD_TEXT_NULLCHAR) words = "\uFFFD";
        const SpanStyle style = style_here();
        const bool joins = !spans_->empty() && spans_->back().style == style &&
                           (!begun_ || style == SpanStyle::plain ||
                            (style == SpanStyle::link && styles_.back() != SpanStyle::link));
        if (!joins) spans_->push_back({style, {}, style == SpanStyle::link ? target_ : std::string(), {}});
        spans_->back().text += words;
        begun_ = false;
        return 0;
    }
    // A link is one span, code is code within others, too; else the outermost mark counts.
    SpanStyle style_here() const {
        if (styles_.empty()) return SpanStyle::plain;
        if (std::count(styles_.begin(), styles_.end(), SpanStyle::link) != 0) return SpanStyle::link;
        return styles_.back() == SpanStyle::code ? SpanStyle::code : styles_.front();
    }
    int add_code(std::string_view words) {
        std::vector<std::string>& lines = paragraphs_.back().lines;
        for (const char c : words)
            if (c == '\n')
                lines.emplace_back();
            else
                lines.back() += c == '\t' ? std::string("    ") : std::string(1, c);
        return 0;
    }

    std::vector<Paragraph> paragraphs_;
    std::vector<Span>* spans_ = nullptr;  // of the open paragraph or cell
    std::vector<List> lists_;             // that are open, from the outermost
    std::vector<SpanStyle> styles_;       // that are open, from the outermost
    std::string target_;                  // of the open link
    bool item_ = false;                   // the next paragraph begins an item
    bool begun_ = false;                  // a span began or ended
};

bool is_letter(char c) {
    return (c & 0x80) != 0 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Escapes what is text in lessons: a star between letters, which multiplies ("a*b*c"), and the full stop
// behind a result at the beginning ("7168. All others are right").
std::string with_escapes(std::string_view line) {
    constexpr std::size_t item_digits = 3;
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    std::string text;
    bool code = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '`') code = !code;
        const bool product = line[i] == '*' && !code && i > 0 && is_letter(line[i - 1]) &&
                             i + 1 < line.size() && is_letter(line[i + 1]);
        if (product || (i == digits && digits > item_digits && (line[i] == '.' || line[i] == ')')))
            text += '\\';
        text += line[i];
    }
    return text;
}

bool is_table_rule(std::string_view line) {
    return line.starts_with('|') && line.find_first_not_of("|-: ") == line.npos &&
           line.find('-') != line.npos;
}

}  // namespace

std::vector<Span> parse_spans(std::string_view text) {
    // One line that begins with a full stop is a paragraph, whatever follows.
    std::string line = "." + with_escapes(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    std::vector<Span> spans = std::move(Reader().read(line).front().spans);
    spans.front().text.erase(0, 1);
    if (spans.front().text.empty()) spans.erase(spans.begin());
    return spans;
}

std::vector<Paragraph> parse_markdown(std::string_view text) {
    std::vector<Paragraph> paragraphs;
    std::string part;
    const auto read_part = [&] {
        for (Paragraph& paragraph : Reader().read(part))
            paragraphs.push_back(std::move(paragraph));
        part.clear();
    };
    bool code = false, table = false;
    while (!text.empty()) {
        const std::string_view whole = text.substr(0, text.find('\n')), line = trimmed(whole);
        text.remove_prefix(std::min(whole.size() + 1, text.size()));
        const bool fence = line.starts_with("```") && line.find('`', 3) == line.npos;
        if (fence) code = !code;
        const std::size_t middle = line.find("](");
        if (!code && line.starts_with("![") && line.ends_with(')') && middle != line.npos) {
            read_part();
            Paragraph& figure = paragraphs.emplace_back();
            figure.kind = ParagraphKind::figure;
            figure.spans = parse_spans(line.substr(2, middle - 2));
            figure.target = line.substr(middle + 2, line.size() - middle - 3);
            continue;
        }
        // A table needs no empty lines around it.
        const bool was_table = table;
        table = !code && line.starts_with('|') &&
                (table || is_table_rule(trimmed(text.substr(0, text.find('\n')))));
        if (table != was_table) part += '\n';
        part += code ? std::string(whole) : with_escapes(whole);
        part += '\n';
    }
    read_part();
    return paragraphs;
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
