#include "page/html.h"

namespace lanescope::page {

namespace {

using lesson::Paragraph;
using lesson::ParagraphKind;
using lesson::Span;
using lesson::SpanStyle;

std::string element(const std::string& name, const std::string& inner) {
    return "<" + name + ">" + inner + "</" + name + ">";
}

std::string span_html(const Span& span) {
    const std::string text = escaped(span.text);
    switch (span.style) {
        case SpanStyle::bold:
            return element("strong", text);
        case SpanStyle::emphasis:
            return element("em", text);
        case SpanStyle::code:
            return element("code", text);
        case SpanStyle::link:
            // Links to lessons lead nowhere outside of the program.
            if (span.target.starts_with("https://") || span.target.starts_with("http://"))
                return "<a href=\"" + escaped(span.target) + "\">" + text + "</a>";
            return element("em", text);
        case SpanStyle::plain:
            break;
    }
    return text;
}

std::string table_html(const Paragraph& paragraph) {
    std::string html;
    for (std::size_t row = 0; row < paragraph.rows.size(); ++row) {
        std::string cells;
        for (std::size_t i = 0; i < paragraph.rows[row].size(); ++i) {
            const lesson::ColumnSide side =
                i < paragraph.sides.size() ? paragraph.sides[i] : lesson::ColumnSide::left;
            const char* const kind = row == 0 ? "th" : "td";
            const char* const where = side == lesson::ColumnSide::right    ? " class=\"right\""
                                      : side == lesson::ColumnSide::middle ? " class=\"middle\""
                                                                           : "";
            cells +=
                std::string("<") + kind + where + ">" + html_of(paragraph.rows[row][i]) + "</" + kind + ">";
        }
        html += element("tr", cells);
    }
    return element("table", html) + "\n";
}

std::string code_html(const Paragraph& paragraph) {
    std::string text;
    for (const std::string& line : paragraph.lines)
        text += escaped(line) + "\n";
    return element("pre", text) + "\n";
}

// Lists that are open, from the outermost.
class Lists {
  public:
    // Closes lists until `level` are left.
    std::string close_to(int level) {
        std::string html;
        for (; int(tags_.size()) > level; tags_.pop_back())
            html += "</li></" + tags_.back() + ">\n";
        return html;
    }
    // Begins an item in a list of this level.
    std::string item(int level, bool numbered) {
        const std::string tag = numbered ? "ol" : "ul";
        std::string html = close_to(level);
        if (int(tags_.size()) == level && tags_.back() != tag) html += close_to(level - 1);
        if (int(tags_.size()) == level) return html + "</li>\n<li>";
        for (; int(tags_.size()) < level; tags_.push_back(tag))
            html += "<" + tag + "><li>";
        return html;
    }

  private:
    std::vector<std::string> tags_;
};

}  // namespace

void replace_mark(std::string& text, std::string_view mark, const std::string& by) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
        text.replace(at, mark.size(), by);
}

std::string html_of(const std::vector<Span>& spans) {
    std::string html;
    for (const Span& span : spans)
        html += span_html(span);
    return html;
}

std::string html_of(const std::vector<Paragraph>& paragraphs, const FigureHtml& figure) {
    std::string html;
    Lists lists;
    for (const Paragraph& paragraph : paragraphs) {
        const bool item = paragraph.bullet || !paragraph.number.empty();
        if (item) {
            html += lists.item(paragraph.level, !paragraph.bullet) + html_of(paragraph.spans);
            continue;
        }
        html += lists.close_to(paragraph.kind == ParagraphKind::text ? paragraph.level : 0);
        switch (paragraph.kind) {
            case ParagraphKind::heading:
                html += element("h3", html_of(paragraph.spans)) + "\n";
                break;
            case ParagraphKind::code:
                html += code_html(paragraph);
                break;
            case ParagraphKind::table:
                html += table_html(paragraph);
                break;
            case ParagraphKind::figure:
                html += figure(paragraph);
                break;
            case ParagraphKind::text:
                html += element("p", html_of(paragraph.spans)) + "\n";
                break;
        }
    }
    return html + lists.close_to(0);
}

}  // namespace lanescope::page
