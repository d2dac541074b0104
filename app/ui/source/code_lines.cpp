#include "ui/source/code_lines.h"

#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

ImU32 colour_of(TokenKind kind) {
    switch (kind) {
        case TokenKind::keyword:
            return theme().keyword;
        case TokenKind::type_name:
            return theme().type_name;
        case TokenKind::builtin:
            return theme().builtin;
        case TokenKind::number:
            return theme().number;
        case TokenKind::string:
            return theme().string;
        case TokenKind::comment:
            return theme().comment;
        case TokenKind::plain:
            break;
    }
    return theme().text;
}

}  // namespace

void draw_code_line(ImDrawList* draw, const SourceDocument& document, std::size_t line, ImVec2 at,
                    float right) {
    draw_code_part(draw, document, line, 0, document.line(line).size(), at, right);
}

void draw_code_part(ImDrawList* draw, const SourceDocument& document, std::size_t line, std::size_t first,
                    std::size_t length, ImVec2 at, float right) {
    const std::string_view text = document.line(line);
    const std::size_t last = std::min(first + length, text.size());
    std::size_t done = first;
    const auto piece = [&](std::size_t begin, std::size_t end, ImU32 colour) {
        begin = std::max(begin, first);
        end = std::min(end, last);
        if (begin >= end || at.x > right) return;
        const std::string_view part = text.substr(begin, end - begin);
        draw_text(draw, fonts().mono, at, colour, part);
        at.x += text_width(fonts().mono, part);
    };
    for (const Token& token : document.tokens(line)) {
        piece(done, token.begin, theme().text);
        piece(token.begin, token.begin + token.length, colour_of(token.kind));
        done = std::max<std::size_t>(first, token.begin + token.length);
    }
    piece(done, text.size(), theme().text);
}

}  // namespace lanescope::ui
