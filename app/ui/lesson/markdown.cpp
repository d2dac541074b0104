#include "ui/lesson/markdown.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/kit/widgets.h"

namespace lanescope::ui {
namespace {

constexpr float line_height = 20, paragraph_gap = 8, item_gap = 3, item_indent = 18, heading_gap = 10;
constexpr float code_padding = 8, cell_padding = 8, figure_gap = 6;

ImFont* font_of(SpanStyle style, ImFont* plain) {
    return style == SpanStyle::code ? fonts().mono : style == SpanStyle::bold ? fonts().strong : plain;
}

ImU32 colour_of(SpanStyle style, ImU32 plain) {
    switch (style) {
        case SpanStyle::link:
            return theme().accent;
        case SpanStyle::plain:
            return plain;
        default:
            return theme().text_strong;
    }
}

// There is no italic face: the letters lean to the right by a fifth of their height.
void draw_leaning(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
    const int first = draw->VtxBuffer.Size;
    draw_text(draw, font, at, colour, text);
    const float base = at.y + font_size(font) * 0.8f;
    for (int i = first; i < draw->VtxBuffer.Size; ++i)
        draw->VtxBuffer[i].pos.x += (base - draw->VtxBuffer[i].pos.y) * 0.2f;
}

// Returns the longest start of the text that fits, at least one character.
std::string_view start_that_fits(ImFont* font, std::string_view text, float width) {
    const char* rest = nullptr;
    font->CalcTextSizeA(font_size(font), width, 0, text.data(), text.data() + text.size(), &rest);
    auto length = std::size_t(rest - text.data());
    if (length == 0) {
        length = 1;
        while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
            ++length;
    }
    return text.substr(0, length);
}

// The look of the spans of one paragraph.
struct Look {
    ImFont* plain;
    ImU32 colour;
    float line;
};

// Places words one after another and breaks lines between them. A word may consist of pieces in several
// styles; a word that is wider than a line is broken.
class SpanFlow {
  public:
    SpanFlow(ImDrawList* draw, ImVec2 at, float width, const WindowState& window, std::string* clicked,
             const Look& look)
        : draw_(draw),
          window_(window),
          clicked_(clicked),
          look_(look),
          left_(at.x),
          right_(at.x + std::max(width, 1.0f)),
          top_(at.y),
          x_(at.x),
          y_(at.y) {}

    // Returns the height.
    float place(const std::vector<Span>& spans) {
        for (const Span& span : spans)
            add(span);
        place_word();
        return y_ + look_.line - top_;
    }
    float widest_word() const { return widest_; }  // of those that were placed
    float end() const { return x_ - left_; }       // of the last line

  private:
    struct Piece {
        const Span* span;
        std::string_view text;
        float width;
    };

    void add(const Span& span) {
        ImFont* font = font_of(span.style, look_.plain);
        std::string_view rest = span.text;
        while (!rest.empty()) {
            if (rest.front() == ' ') {
                place_word();
                const float space = x_ > left_ ? text_width(font, " ") : 0;
                if (draw_ && span.style == SpanStyle::code) code_background(space);
                x_ += space;
                rest.remove_prefix(1);
                continue;
            }
            const std::string_view piece = rest.substr(0, rest.find(' '));
            word_.push_back({&span, piece, text_width(font, piece)});
            rest.remove_prefix(piece.size());
        }
    }

    void break_line() { x_ = left_, y_ += look_.line; }

    void place_word() {
        float width = 0;
        for (const Piece& piece : word_)
            width += piece.width;
        widest_ = std::max(widest_, width);
        if (x_ + width > right_ + 0.5f && x_ > left_) break_line();
        for (Piece piece : word_) {
            ImFont* font = font_of(piece.span->style, look_.plain);
            while (x_ + piece.width > right_ + 0.5f && piece.text.size() > 1) {
                Piece start = piece;
                start.text = start_that_fits(font, piece.text, right_ - x_);
                if (start.text.size() == piece.text.size()) break;
                start.width = text_width(font, start.text);
                put(start);
                break_line();
                piece.text.remove_prefix(start.text.size());
                piece.width = text_width(font, piece.text);
            }
            put(piece);
        }
        word_.clear();
    }

    void put(const Piece& piece) {
        if (draw_) draw_piece(piece);
        x_ += piece.width;
    }

    void code_background(float width) {
        draw_->AddRectFilled({x_ - 1, y_ + window_.px(2)}, {x_ + width + 1, y_ + look_.line - window_.px(2)},
                             theme().panel_raised, window_.px(2));
    }

    void draw_piece(const Piece& piece) {
        const SpanStyle style = piece.span->style;
        ImFont* font = font_of(style, look_.plain);
        const ImVec2 at(x_, centre_line(font, y_, look_.line));
        const ImU32 colour = colour_of(style, look_.colour);
        if (style == SpanStyle::code) code_background(piece.width);
        if (style == SpanStyle::emphasis)
            draw_leaning(draw_, font, at, colour, piece.text);
        else
            draw_text(draw_, font, at, colour, piece.text);
        draw_terms(piece);
        if (style == SpanStyle::link) link({x_, y_, piece.width, look_.line}, *piece.span);
    }

    // Draws a dotted line under the part of the piece that belongs to a term. The mouse hovers the whole
    // term.
    void draw_terms(const Piece& piece) {
        const Span& span = *piece.span;
        ImFont* font = font_of(span.style, look_.plain);
        const auto first = std::size_t(piece.text.data() - span.text.data()),
                   last = first + piece.text.size();
        for (const TermSpan& term : span.terms) {
            const std::size_t from = std::max(term.begin, first), to = std::min(term.end, last);
            if (from >= to) continue;
            const float left = x_ + text_width(font, piece.text.substr(0, from - first));
            const float right = left + text_width(font, piece.text.substr(from - first, to - from));
            const float y = std::round(y_ + look_.line - window_.px(2)), dot = std::max(window_.px(1), 1.0f);
            for (float x = left; x + dot <= right; x += 3 * dot)
                draw_->AddRectFilled({x, y}, {x + dot, y + dot}, theme().text_faint);
            if (hovered({left, y_, right - left, look_.line}, window_))
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
    Look look_;
    float left_, right_, top_, x_, y_;
    float widest_ = 0;
    std::vector<Piece> word_;
};

// Puts one paragraph below the other.
class Sheet {
  public:
    Sheet(ImDrawList* draw, ImVec2 at, float width, const WindowState& window, const MarkdownUse& use)
        : draw_(draw), window_(window), use_(use), x_(at.x), width_(width), top_(at.y), y_(at.y) {}

    void add(const Paragraph& paragraph) {
        if (y_ > top_) y_ += window_.px(gap_before(paragraph));
        switch (paragraph.kind) {
            case ParagraphKind::text:
                text(paragraph);
                break;
            case ParagraphKind::heading:
                heading(paragraph);
                break;
            case ParagraphKind::code:
                code(paragraph.lines);
                break;
            case ParagraphKind::table:
                table(paragraph);
                break;
            case ParagraphKind::figure:
                figure(paragraph);
                break;
        }
        last_item_ = is_item(paragraph);
    }
    float height() const { return y_ - top_; }

  private:
    static bool is_item(const Paragraph& paragraph) { return paragraph.bullet || !paragraph.number.empty(); }
    float gap_before(const Paragraph& paragraph) const {
        if (paragraph.kind == ParagraphKind::heading) return heading_gap + paragraph_gap;
        return last_item_ && paragraph.level > 0 ? item_gap : paragraph_gap;
    }
    Look usual() const { return {fonts().text, theme().text, window_.px(line_height)}; }
    float place(const std::vector<Span>& spans, ImVec2 at, float width, const Look& look) const {
        return SpanFlow(draw_, at, width, window_, use_.clicked, look).place(spans);
    }

    void text(const Paragraph& paragraph) {
        const float indent = window_.px(item_indent) * float(paragraph.level), line = window_.px(line_height);
        if (draw_ && paragraph.bullet)
            draw_->AddCircleFilled({x_ + indent - window_.px(11), y_ + line / 2}, window_.px(2),
                                   theme().text_quiet);
        if (draw_ && !paragraph.number.empty())
            draw_text(draw_, fonts().text,
                      {x_ + indent - window_.px(4) - text_width(fonts().text, paragraph.number),
                       centre_line(fonts().text, y_, line)},
                      theme().text_quiet, paragraph.number);
        y_ += place(paragraph.spans, {x_ + indent, y_}, width_ - indent, usual());
    }

    void heading(const Paragraph& paragraph) {
        const bool large = paragraph.level <= 2;
        y_ += place(paragraph.spans, {x_, y_}, width_,
                    {large ? fonts().title : fonts().strong, theme().text_strong,
                     window_.px(large ? line_height + 2 : line_height)});
    }

    // In the largest type in which the longest line fits. If it fits in none, long lines are continued below.
    void code(const std::vector<std::string>& lines) {
        const float padding = window_.px(code_padding), room = std::max(width_ - 2 * padding, 1.0f);
        ImFont* font = fonts().mono;
        for (ImFont* each : {fonts().mono, fonts().mono_small, fonts().mono_tiny}) {
            font = each;
            const bool fits = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
                return text_width(font, line) <= room;
            });
            if (fits) break;
            if (each == fonts().mono_tiny) font = fonts().mono_small;
        }
        const float step = std::round(font_size(font) * 1.25f);
        std::vector<std::string_view> rows;
        for (const std::string& line : lines) {
            std::string_view rest = line;
            do {
                const std::string_view row = rest.empty() ? rest : start_that_fits(font, rest, room);
                rows.push_back(row);
                rest.remove_prefix(row.size());
            } while (!rest.empty());
        }
        const float height = step * float(rows.size()) + 2 * padding;
        if (draw_) {
            draw_->AddRectFilled({x_, y_}, {x_ + width_, y_ + height}, theme().background, window_.px(4));
            draw_->AddRect({x_, y_}, {x_ + width_, y_ + height}, theme().line, window_.px(4));
            for (std::size_t i = 0; i < rows.size(); ++i)
                draw_text(draw_, font, {x_ + padding, y_ + padding + step * float(i)}, theme().text_strong,
                          rows[i]);
        }
        y_ += height;
    }

    // The widths of a table's columns, without the room between them: what the cells need in one line or, if
    // that is too much, at least the widest word and a share of the rest.
    std::vector<float> column_widths(const Paragraph& table) const {
        const std::size_t columns = table.sides.size();
        std::vector<float> least(columns, 0), wanted(columns, 0);
        for (const TableRow& row : table.rows)
            for (std::size_t i = 0; i < columns; ++i) {
                SpanFlow flow(nullptr, {0, 0}, 1e6f, window_, nullptr, cell_look(&row == &table.rows[0]));
                flow.place(row[i]);
                wanted[i] = std::max(wanted[i], std::ceil(flow.end()) + 1);
                least[i] = std::max(least[i], std::ceil(flow.widest_word()) + 1);
            }
        const float padding = 2 * window_.px(cell_padding) * float(columns);
        const float room = std::max(width_ - padding, 1.0f);
        const float all = std::accumulate(wanted.begin(), wanted.end(), 0.0f),
                    needed = std::accumulate(least.begin(), least.end(), 0.0f);
        if (all <= room) return wanted;
        for (std::size_t i = 0; i < columns; ++i)
            wanted[i] = needed >= room ? least[i] * room / needed
                                       : least[i] + (wanted[i] - least[i]) * (room - needed) / (all - needed);
        return wanted;
    }
    Look cell_look(bool head) const {
        return {head ? fonts().strong : fonts().text, head ? theme().text_strong : theme().text,
                window_.px(line_height)};
    }

    void table(const Paragraph& table) {
        const std::vector<float> widths = column_widths(table);
        const float padding = window_.px(cell_padding), gap = window_.px(3);
        const float whole =
            std::accumulate(widths.begin(), widths.end(), 0.0f) + 2 * padding * float(widths.size());
        for (const TableRow& row : table.rows) {
            const bool head = &row == &table.rows[0];
            const Look look = cell_look(head);
            float x = x_, height = 0;
            for (std::size_t i = 0; i < widths.size(); ++i) {
                SpanFlow flow(nullptr, {0, 0}, widths[i], window_, nullptr, look);
                const float needed = flow.place(row[i]);
                height = std::max(height, needed);
                const float spare = needed > look.line * 1.5f ? 0 : std::max(widths[i] - flow.end(), 0.0f);
                const float shift = table.sides[i] == ColumnSide::left    ? 0
                                    : table.sides[i] == ColumnSide::right ? spare
                                                                          : spare / 2;
                if (draw_) place(row[i], {x + padding + shift, y_ + gap}, widths[i] - shift, look);
                x += widths[i] + 2 * padding;
            }
            y_ += height + 2 * gap;
            if (draw_)
                draw_->AddRectFilled({x_, y_ - 1}, {x_ + whole, y_ + (head ? window_.px(0.5f) : 0)},
                                     head ? theme().text_faint : theme().line);
        }
    }

    void figure(const Paragraph& paragraph) {
        if (use_.figures != nullptr) {
            const Rect area{x_, y_, width_, use_.figures->figure_height(paragraph.target, width_, window_)};
            if (draw_ && use_.figures->draw_figure(draw_, paragraph.target, area, window_) &&
                use_.clicked != nullptr)
                *use_.clicked = figure_link + paragraph.target;
            y_ += area.height + window_.px(figure_gap);
        }
        y_ += place(paragraph.spans, {x_, y_}, width_,
                    {fonts().small, theme().text_quiet, window_.px(line_height - 3)});
    }

    ImDrawList* draw_;
    const WindowState& window_;
    MarkdownUse use_;
    float x_, width_, top_, y_;
    bool last_item_ = false;
};

}  // namespace

float lay_out_markdown(ImDrawList* draw, const std::vector<Paragraph>& paragraphs, ImVec2 at, float width,
                       const WindowState& window, const MarkdownUse& use) {
    Sheet sheet(draw, at, width, window, use);
    for (const Paragraph& paragraph : paragraphs)
        sheet.add(paragraph);
    return sheet.height();
}

}  // namespace lanescope::ui
