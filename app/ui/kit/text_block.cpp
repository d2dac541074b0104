#include "ui/kit/text_block.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace lanescope::ui {

float text_block_height(ImFont* font, std::string_view text, float width) {
    return draw_text_block(nullptr, font, {0, 0}, 0, text, width);
}

float draw_text_block(ImDrawList* draw, ImFont* font, ImVec2 at, ImU32 colour, std::string_view text,
                      float width) {
    const float size = font_size(font), row = size * 1.12f;
    float y = at.y;
    while (!text.empty()) {
        const std::size_t line_end = std::min(text.find('\n'), text.size());
        const char* begin = text.data();
        const char* end = begin + line_end;
        const char* stop = font->CalcWordWrapPositionA(1.0f, begin, end, width);
        if (stop == begin && begin < end) ++stop;  // the width is smaller than one letter
        while (stop < end && (static_cast<unsigned char>(*stop) & 0xC0) == 0x80)
            ++stop;
        if (draw) draw_text(draw, font, {at.x, y}, colour, {begin, std::size_t(stop - begin)});
        y += row;
        text.remove_prefix(std::size_t(stop - begin));
        while (!text.empty() && text.front() == ' ')
            text.remove_prefix(1);
        if (!text.empty() && stop == end && text.front() == '\n') text.remove_prefix(1);
    }
    return y - at.y;
}

float draw_text_block(ImFont* font, const Rect& box, ImU32 colour, std::string_view text) {
    return draw_text_block(ImGui::GetWindowDrawList(), font, box.min(), colour, text, box.width);
}

}  // namespace lanescope::ui
