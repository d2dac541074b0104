#include "ui/preview/pixel_section.h"

#include "preview/pixel/pixel_words.h"
#include "ui/kit/widgets.h"
#include "ui/preview/picture_pixels.h"
#include "ui/preview/reuse_map.h"

namespace lanescope::ui {

void PixelSection::draw(SideColumn& column) {
    const WindowState& window = column.window();
    head(column);
    place_line(column);
    tools(column);
    const preview::PixelFacts& pixel = model_.inspector().pixel();
    const preview::SampleParts* parts = products_.of(model_.runner().run(), pixel.x, pixel.y);
    const bool map = modes_.reuse && pixel.known, two = parts != nullptr && parts->masks.size() > 1;
    if (parts != nullptr && ProductGrid::takes(parts->masks.front()) && !map) {
        grid_.numbers(column, *parts);
        sum(column.row(two ? 76 : 56), column, *parts);
        (void)column.small_lines(load_lines(), column.row(40));
        return;
    }
    const Rect box = column.row(126);
    const Rect square{box.x, box.y + window.px(2), window.px(116), window.px(116)};
    Rect words{box.x + window.px(130), box.y, box.width - window.px(130), box.height};
    if (map) {
        draw_reuse_cells(pixel, model_.runner().run()->margin(), square);
        words.y += window.px(14);
        (void)column.small_lines(preview::reuse_lines(pixel.reuse, shared_tiles()), words);
        return;
    }
    if (parts != nullptr) {
        grid_.pixels(square, *parts, window);
        sum(words, column, *parts);
    }
    words.y += window.px(two ? 78.0f : 58.0f);
    (void)column.small_lines(load_lines(), words);
}

void PixelSection::head(SideColumn& column) {
    preview::PixelInspector& inspector = model_.inspector();
    const Rect head = column.section(inspector.pinned() ? "this pixel, pinned" : "this pixel");
    if (!inspector.pinned())
        draw_right(fonts().small, head, head.right(), theme().text_faint,
                   "follows the mouse; a click pins it");
    else if (column.link("##unpin", "unpin · Esc", head.right(), head))
        inspector.unpin();
}

void PixelSection::place_line(SideColumn& column) {
    const preview::PixelFacts& pixel = model_.inspector().pixel();
    const WindowState& window = column.window();
    const Rect line = column.row(24);
    std::string where = "(" + std::to_string(pixel.x) + ", " + std::to_string(pixel.y) + ")";
    if (pixel.known)
        where += " · block (" + std::to_string(pixel.block_x) + ", " + std::to_string(pixel.block_y) +
                 ") · thread " + preview::thread_place(*model_.runner().run(), pixel.thread);
    const float room = line.width - text_width(fonts().text, where) - window.px(10);
    std::string step = model_.stepping().busy() ? "running …" : "step into this block";
    if (text_width(fonts().text, step) > room) step = "step in";
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().text, where,
                     line.width - (pixel.known ? text_width(fonts().text, step) + window.px(10) : 0));
    if (pixel.known && column.link("##step", step, line.right(), line)) model_.step_into_block();
}

// The choice of a channel, and the link that shows the reuse map instead of the products.
void PixelSection::tools(SideColumn& column) {
    const preview::PixelFacts& pixel = model_.inspector().pixel();
    const Rect line = column.row(24);
    channels(line, column.window());
    if (pixel.known && !pixel.reuse.empty() &&
        column.link("##reuse", modes_.reuse ? "hide the reuse map" : "reuse map", line.right(), line))
        modes_.reuse = !modes_.reuse;
}

void PixelSection::channels(const Rect& line, const WindowState& window) {
    const image::Image& image = *model_.image();
    const std::uint32_t count = model_.runner().run() ? model_.runner().run()->filtered_channels() : 0;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float y = centre_line(fonts().text, line.y, line.height);
    float x = line.x;
    const auto word = [&](const std::string& text, ImU32 colour) {
        draw_text(draw, fonts().text, ImVec2(x, y), colour, text);
        x += text_width(fonts().text, text) + window.px(10);
    };
    word(modes_.reuse ? "reads of" : "products of", theme().text_quiet);
    if (modes_.reuse || count < 2) return word(preview::channel_name(image, 0), theme().text);
    for (std::uint32_t c = 0; c < count; ++c) {
        const std::string name = preview::channel_name(image, c);
        const Rect box{x, line.y, text_width(fonts().text, name), line.height};
        if (click_area(("##channel" + std::to_string(c)).c_str(), box)) products_.choose_channel(c);
        const bool chosen = c == products_.channel();
        if (chosen)
            draw->AddRectFilled(ImVec2(box.x, box.bottom() - window.px(2)), box.max(), theme().active_edge);
        word(name, chosen ? theme().text_strong : theme().accent);
    }
}

void PixelSection::sum(const Rect& box, const SideColumn& column, const preview::SampleParts& parts) const {
    const float below = column.small_lines(preview::sum_lines(parts), box);
    const Rect line{box.x, below, box.width, column.window().px(34)};
    const std::string wrong = preview::disagreement(parts);
    if (wrong.empty()) return result(line, column.window());
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().conflict, wrong,
                     line.width);
}

void PixelSection::result(const Rect& line, const WindowState& window) const {
    const image::Image& image = *model_.image();
    const preview::PixelFacts& pixel = model_.inspector().pixel();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::string is = "the pixel is";
    draw_text(draw, fonts().text, ImVec2(line.x, centre_line(fonts().text, line.y, line.height)),
              theme().text_quiet, is);
    const float side = window.px(24), x = line.x + text_width(fonts().text, is) + window.px(10);
    const ImVec2 a(x, line.y + (line.height - side) / 2), b(x + side, line.y + (line.height + side) / 2);
    std::string values;
    model_.runner().result().with_samples([&](const std::vector<std::uint16_t>& samples) {
        draw->AddRectFilled(a, b, opaque_colour(image, samples, pixel.x, pixel.y));
        for (std::uint32_t c = 0; c < image.channels; ++c)
            values +=
                (c ? " " : "") +
                std::to_string(samples[(std::size_t{pixel.y} * image.width + pixel.x) * image.channels + c]);
    });
    draw->AddRect(a, b, theme().active_edge, 0, 0, window.px(2));
    draw_text(draw, fonts().mono, ImVec2(b.x + window.px(10), centre_line(fonts().mono, line.y, line.height)),
              theme().text, values);
}

bool PixelSection::shared_tiles() const {
    const preview::RunFacts* facts = model_.runner().facts();
    return facts != nullptr && facts->loads.counted.shared;
}

std::vector<std::string> PixelSection::load_lines() const {
    return preview::load_lines(model_.inspector().pixel(), model_.busy() || model_.inspector().recording(),
                               shared_tiles());
}

}  // namespace lanescope::ui
