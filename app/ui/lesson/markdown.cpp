#include "ui/lesson/markdown.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

void add_text(std::vector<Span>& spans, SpanStyle style, std::string_view text,
              std::string_view target = {}) {
    if (!text.empty()) spans.push_back({style, std::string(text), std::string(target), {}});
}

// Reads a mark with its partner: `…` or **…**. Returns the position after it, or `at` if there is none.
std::size_t read_marked(std::string_view text, std::size_t at, std::string_view mark,
                        std::string_view& inner) {
    if (text.substr(at, mark.size()) != mark) return at;
    const std::size_t end = text.find(mark, at + mark.size());
    if (end == text.npos || end == at + mark.size()) return at;
    inner = text.substr(at + mark.size(), end - at - mark.size());
    return end + mark.size();
}

std::size_t read_link(std::string_view text, std::size_t at, std::string_view& inner,
                      std::string_view& target) {
    if (text[at] != '[') return at;
    const std::size_t middle = text.find("](", at);
    const std::size_t end = middle == text.npos ? text.npos : text.find(')', middle);
    if (end == text.npos) return at;
    inner = text.substr(at + 1, middle - at - 1);
    target = text.substr(middle + 2, end - middle - 2);
    return end + 1;
}

std::vector<Span> parse_spans(std::string_view text) {
    std::vector<Span> spans;
    std::size_t plain = 0, at = 0;
    while (at < text.size()) {
        std::string_view inner, target;
        SpanStyle style = SpanStyle::code;
        std::size_t next = read_marked(text, at, "`", inner);
        if (next == at) style = SpanStyle::bold, next = read_marked(text, at, "**", inner);
        if (next == at) style = SpanStyle::link, next = read_link(text, at, inner, target);
        if (next == at) {
            ++at;
            continue;
        }
        add_text(spans, SpanStyle::plain, text.substr(plain, at - plain));
        add_text(spans, style, inner, target);
        plain = at = next;
    }
    add_text(spans, SpanStyle::plain, text.substr(plain));
    return spans;
}

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
        line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r'))
        line.remove_suffix(1);
    return line;
}

ImFont* font_of(SpanStyle style) {
    return style == SpanStyle::code ? fonts().mono : style == SpanStyle::bold ? fonts().strong : fonts().text;
}

ImU32 colour_of(SpanStyle style) {
    switch (style) {
        case SpanStyle::link:
            return theme().accent;
        case SpanStyle::plain:
            return theme().text_quiet;
        default:
            return theme().text;
    }
}

// Places words one after another and breaks lines between them. A word may consist of pieces in several
// styles.
class Flow {
  public:
    Flow(ImDrawList* draw, ImVec2 at, float width, const WindowState& window, std::string* clicked)
        : draw_(draw),
          window_(window),
          clicked_(clicked),
          left_(at.x),
          right_(at.x + width),
          top_(at.y),
          x_(at.x),
          y_(at.y),
          line_(window.px(20)) {}

    void paragraph(const Paragraph& paragraph) {
        indent_ = paragraph.bullet ? window_.px(14) : 0;
        x_ = left_ + indent_;
        if (paragraph.bullet && draw_)
            draw_->AddCircleFilled(ImVec2(left_ + window_.px(4), y_ + line_ / 2), window_.px(2),
                                   theme().text_quiet);
        for (const Span& span : paragraph.spans)
            add(span);
        place_word();
        y_ += line_ + window_.px(6);
    }
    float height() const { return std::max(y_ - top_ - window_.px(6), 0.0f); }

  private:
    struct Piece {
        const Span* span;
        std::string_view text;
        float width;
    };

    void add(const Span& span) {
        ImFont* font = font_of(span.style);
        std::string_view rest = span.text;
        while (!rest.empty()) {
            if (rest.front() == ' ') {
                place_word();
                if (x_ > left_ + indent_) x_ += text_width(font, " ");
                rest.remove_prefix(1);
                continue;
            }
            const std::string_view piece = rest.substr(0, rest.find(' '));
            word_.push_back({&span, piece, text_width(font, piece)});
            rest.remove_prefix(piece.size());
        }
    }

    void place_word() {
        float width = 0;
        for (const Piece& piece : word_)
            width += piece.width;
        if (x_ + width > right_ && x_ > left_ + indent_) x_ = left_ + indent_, y_ += line_;
        for (const Piece& piece : word_) {
            if (draw_) draw_piece(piece);
            x_ += piece.width;
        }
        word_.clear();
    }

    void draw_piece(const Piece& piece) {
        ImFont* font = font_of(piece.span->style);
        draw_text(draw_, font, ImVec2(x_, centre_line(font, y_, line_)), colour_of(piece.span->style),
                  piece.text);
        draw_terms(piece);
        if (piece.span->style == SpanStyle::link) link({x_, y_, piece.width, line_}, *piece.span);
    }

    // Draws a dotted line under the part of the piece that belongs to a term. The mouse hovers the whole
    // term.
    void draw_terms(const Piece& piece) {
        const Span& span = *piece.span;
        ImFont* font = font_of(span.style);
        const auto first = std::size_t(piece.text.data() - span.text.data()),
                   last = first + piece.text.size();
        for (const TermSpan& term : span.terms) {
            const std::size_t from = std::max(term.begin, first), to = std::min(term.end, last);
            if (from >= to) continue;
            const float left = x_ + text_width(font, piece.text.substr(0, from - first));
            const float right = left + text_width(font, piece.text.substr(from - first, to - from));
            const float y = std::round(y_ + line_ - window_.px(2)), dot = std::max(window_.px(1), 1.0f);
            for (float x = left; x + dot <= right; x += 3 * dot)
                draw_->AddRectFilled({x, y}, {x + dot, y + dot}, theme().text_faint);
            if (hovered({left, y_, right - left, line_}, window_))
                hovered_text() = {span.text.substr(term.begin, term.end - term.begin), font, -1e6f};
        }
    }

    void link(const Rect& area, const Span& span) {
        if (!hovered(area, window_)) return;
        draw_->AddLine(ImVec2(area.x, area.bottom() - 2), ImVec2(area.right(), area.bottom() - 2),
                       theme().accent);
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (clicked_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) *clicked_ = span.target;
    }

    ImDrawList* draw_;
    const WindowState& window_;
    std::string* clicked_;
    float left_, right_, top_, x_, y_, line_;
    float indent_ = 0;
    std::vector<Piece> word_;
};

}  // namespace

std::vector<Paragraph> parse_markdown(std::string_view text) {
    std::vector<Paragraph> paragraphs;
    std::string open;
    bool bullet = false;
    const auto close = [&] {
        if (!open.empty()) paragraphs.push_back({bullet, parse_spans(open)});
        open.clear();
        bullet = false;
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const bool item = line.starts_with("- ") || line.starts_with("* ");
        if (line.empty() || item) close();
        if (item) bullet = true, line = trimmed(line.substr(2));
        if (line.empty()) continue;
        if (!open.empty()) open += ' ';
        open += line;
    }
    close();
    return paragraphs;
}

void mark_terms(std::vector<Paragraph>& paragraphs, const Glossary& glossary) {
    std::set<std::size_t> known;
    for (Paragraph& paragraph : paragraphs)
        for (Span& span : paragraph.spans) {
            if (span.style != SpanStyle::plain && span.style != SpanStyle::bold) continue;
            for (const TermSpan& term : glossary.spans(span.text))
                if (known.insert(term.term).second) span.terms.push_back(term);
        }
}

float lay_out_markdown(ImDrawList* draw, const std::vector<Paragraph>& paragraphs, ImVec2 at, float width,
                       const WindowState& window, std::string* clicked) {
    Flow flow(draw, at, width, window, clicked);
    for (const Paragraph& paragraph : paragraphs)
        flow.paragraph(paragraph);
    return flow.height();
}

}  // namespace lanescope::ui
