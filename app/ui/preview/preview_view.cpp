#include "ui/preview/preview_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "image/image.h"
#include "lesson/parallel.h"
#include "ui/kit/widgets.h"

namespace lanescope::ui {

namespace {

constexpr int difference_gain = 4;
constexpr float max_scale = 96;

struct Rgb {
    unsigned red = 0, green = 0, blue = 0;
};

// Alpha lets a chequered ground through.
Rgb colour_at(const image::Header& image, const std::vector<std::uint16_t>& samples, std::uint32_t x,
              std::uint32_t y) {
    const std::size_t at = (std::size_t{y} * image.width + x) * image.channels;
    const unsigned shift = image.bits == 16 ? 8 : 0;
    const auto level = [&](std::uint32_t channel) {
        return static_cast<unsigned>(samples[at + channel] >> shift);
    };
    Rgb colour{level(0), level(0), level(0)};
    if (image.channels >= 3) colour = {level(0), level(1), level(2)};
    if (!image.has_alpha()) return colour;
    const unsigned alpha = level(image.channels - 1), ground = (x / 8 + y / 8) % 2 ? 60 : 90;
    const auto over = [&](unsigned value) { return (value * alpha + ground * (255 - alpha)) / 255; };
    return {over(colour.red), over(colour.green), over(colour.blue)};
}

Rect intersection(const Rect& a, const Rect& b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max(std::min(a.right(), b.right()) - x, 0.0f),
            std::max(std::min(a.bottom(), b.bottom()) - y, 0.0f)};
}

void draw_label(const std::string& text, ImVec2 at, const WindowState& shared, bool from_right) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float width = text_width(fonts().text, text) + shared.px(20), height = shared.px(24);
    const float x = from_right ? at.x - width : at.x;
    draw->AddRectFilled(ImVec2(x, at.y), ImVec2(x + width, at.y + height), faded(theme().background, 0.9f));
    draw_text_centred(draw, fonts().text, {x, at.y, width, height}, theme().text_strong, text);
}

void draw_dashed(const Rect& box, ImU32 colour, const WindowState& shared) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float dash = shared.px(5), thick = shared.px(1.5f);
    for (float x = box.x; x < box.right(); x += 2 * dash)
        for (const float y : {box.y, box.bottom()})
            draw->AddLine(ImVec2(x, y), ImVec2(std::min(x + dash, box.right()), y), colour, thick);
    for (float y = box.y; y < box.bottom(); y += 2 * dash)
        for (const float x : {box.x, box.right()})
            draw->AddLine(ImVec2(x, y), ImVec2(x, std::min(y + dash, box.bottom())), colour, thick);
}

}  // namespace

std::vector<std::uint32_t> screen_pixels(const image::Header& image,
                                         const std::vector<std::uint16_t>& samples, const ImagePlace& place,
                                         const Rect& screen) {
    const auto width = static_cast<std::size_t>(screen.width),
               height = static_cast<std::size_t>(screen.height);
    std::vector<std::uint32_t> pixels(width * height, 0);
    const float step = 1 / place.scale;
    const int taps = place.scale >= 1 ? 1 : place.scale >= 0.5f ? 2 : 3;
    lesson::in_parts(
        height,
        [&](std::uint64_t first, std::uint64_t end) {
            for (std::uint64_t row = first; row < end; ++row)
                for (std::size_t column = 0; column < width; ++column) {
                    unsigned red = 0, green = 0, blue = 0, count = 0;
                    for (int i = 0; i < taps * taps; ++i) {
                        const float inner_x =
                            (static_cast<float>(i % taps) + 0.5f) / static_cast<float>(taps);
                        const float inner_y =
                            (static_cast<float>(i / taps) + 0.5f) / static_cast<float>(taps);
                        const float x = place.x_at(screen.x + static_cast<float>(column)) + inner_x * step;
                        const float y = place.y_at(screen.y + static_cast<float>(row)) + inner_y * step;
                        if (x < 0 || y < 0 || x >= static_cast<float>(image.width) ||
                            y >= static_cast<float>(image.height))
                            continue;
                        const Rgb colour = colour_at(image, samples, static_cast<std::uint32_t>(x),
                                                     static_cast<std::uint32_t>(y));
                        red += colour.red, green += colour.green, blue += colour.blue, ++count;
                    }
                    if (count == 0) continue;
                    pixels[row * width + column] = IM_COL32(red / count, green / count, blue / count, 255);
                }
        },
        64);
    return pixels;
}

void PreviewView::place_image(const Rect& room) {
    const image::Image& image = model_.image();
    const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
    const float fitting = std::min(room.width / width, room.height / height);
    if (fits_) {
        place_.scale = std::min(fitting, max_scale);
        centre_x_ = width / 2;
        centre_y_ = height / 2;
    }
    place_.scale = std::clamp(place_.scale, std::min(fitting, 1.0f), max_scale);
    centre_x_ = std::clamp(centre_x_, 0.0f, width);
    centre_y_ = std::clamp(centre_y_, 0.0f, height);
    place_.origin = {std::round(room.x + room.width / 2 - centre_x_ * place_.scale),
                     std::round(room.y + room.height / 2 - centre_y_ * place_.scale)};
}

void PreviewView::take_mouse(const Rect& room, const WindowState& shared) {
    if (shared.still) return;
    ImGui::SetCursorScreenPos(room.min());
    ImGui::InvisibleButton("##picture", ImVec2(room.width, room.height));
    const ImGuiIO& io = ImGui::GetIO();
    const bool over = ImGui::IsItemHovered();
    const float line = room.x + divider_ * room.width;
    const bool near_line = over && std::abs(io.MousePos.x - line) < shared.px(8);
    if (near_line || dragging_divider_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) {
        dragging_divider_ = near_line;
        panning_ = false;
    }
    if (ImGui::IsItemActive() && dragging_divider_)
        divider_ = std::clamp((io.MousePos.x - room.x) / room.width, 0.0f, 1.0f);
    else if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, shared.px(4))) {
        panning_ = true;
        fits_ = false;
        centre_x_ -= io.MouseDelta.x / place_.scale;
        centre_y_ -= io.MouseDelta.y / place_.scale;
    }
    const float x = place_.x_at(io.MousePos.x), y = place_.y_at(io.MousePos.y);
    const bool on_image = x >= 0 && y >= 0 && x < static_cast<float>(model_.image().width) &&
                          y < static_cast<float>(model_.image().height);
    if (ImGui::IsItemDeactivated()) {  // the mouse may have left since it was pressed
        const ImVec2 at(place_.x_at(io.MouseClickedPos[0].x), place_.y_at(io.MouseClickedPos[0].y));
        const bool inside = at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(model_.image().width) &&
                            at.y < static_cast<float>(model_.image().height);
        if (!dragging_divider_ && !panning_ && inside) choose_pixel(at.x, at.y, shared);
        dragging_divider_ = panning_ = false;
    }
    if (over && on_image && !ImGui::IsItemActive())
        model_.hover(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    if (over && ImGui::IsMouseDoubleClicked(0)) fits_ = true;
    if (!over || io.MouseWheel == 0) return;
    fits_ = false;
    const float factor = std::pow(1.25f, io.MouseWheel), old = place_.scale;
    place_.scale = std::clamp(old * factor, 0.02f, max_scale);
    centre_x_ = x - (x - centre_x_) * old / place_.scale;  // what is under the mouse stays there
    centre_y_ = y - (y - centre_y_) * old / place_.scale;
}

// A click pins the pixel, one on the pinned pixel lets go of it.
void PreviewView::choose_pixel(float x, float y, const WindowState& shared) {
    const PixelFacts& pixel = model_.pixel();
    const float near = std::max(shared.px(4) / place_.scale, 0.5f);
    const bool same = std::abs(x - static_cast<float>(pixel.x) - 0.5f) <= near &&
                      std::abs(y - static_cast<float>(pixel.y) - 0.5f) <= near;
    if (model_.pinned() && same)
        model_.unpin();
    else
        model_.pin(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
}

void PreviewView::prepare(const Rect& screen, Requests& requests) {
    const bool moved = prepared_screen_.x != screen.x || prepared_screen_.y != screen.y ||
                       prepared_screen_.width != screen.width || prepared_screen_.height != screen.height ||
                       prepared_place_.scale != place_.scale || prepared_place_.origin.x != place_.origin.x ||
                       prepared_place_.origin.y != place_.origin.y;
    const image::Image& image = model_.image();
    const bool other = prepared_image_ != &image;
    const bool changed =
        other || prepared_generation_ != model_.generation() || prepared_difference_ != difference_;
    if (!moved && !changed) return;
    if (!difference_)
        differences_ = {};
    else if (changed)
        count_differences();
    prepared_image_ = &image;
    prepared_generation_ = model_.generation();
    prepared_difference_ = difference_;
    prepared_place_ = place_;
    prepared_screen_ = screen;
    const auto paint = [&](render::Texture& texture, const std::vector<std::uint16_t>& samples) {
        const Result<void> set = texture.set(static_cast<int>(screen.width), static_cast<int>(screen.height),
                                             screen_pixels(image, samples, place_, screen));
        if (!set) requests.problem = set.diagnostics().front().message;
    };
    if (moved || other) paint(before_, image.samples);
    if (!on_device())
        with_right_half([&](const std::vector<std::uint16_t>& samples) { paint(after_, samples); });
}

void PreviewView::count_differences() {
    const image::Image& image = model_.image();
    model_.with_result([&](const std::vector<std::uint16_t>& samples) { differences_ = samples; });
    for (std::size_t i = 0; i < differences_.size(); ++i)
        if (!image.has_alpha() || i % image.channels + 1 != image.channels)
            differences_[i] = static_cast<std::uint16_t>(
                std::min(std::abs(int{differences_[i]} - int{image.samples[i]}) * difference_gain,
                         static_cast<int>(image.max_level())));
}

// Large images are not copied for it.
void PreviewView::with_right_half(const std::function<void(const std::vector<std::uint16_t>&)>& use) const {
    if (difference_ && differences_.size() == model_.image().samples.size())
        use(differences_);
    else
        model_.with_result(use);
}

void PreviewView::draw_halves(const Rect& screen) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float line = divider_at(screen);
    draw->PushClipRect(ImVec2(screen.x, screen.y), ImVec2(line, screen.bottom()), true);
    draw->AddImage(imgui_texture(before_.name()), screen.min(), screen.max());
    draw->PopClipRect();
    draw->PushClipRect(ImVec2(line, screen.y), screen.max(), true);
    if (on_device()) {
        const image::Image& image = model_.image();
        if (place_.scale < 1) model_.average_gpu_texture();
        draw->AddImage(imgui_texture(model_.gpu_texture()), place_.origin,
                       place_.to_screen(static_cast<float>(image.width), static_cast<float>(image.height)));
    } else {
        draw->AddImage(imgui_texture(after_.name()), screen.min(), screen.max());
    }
    draw->PopClipRect();
}

float PreviewView::divider_at(const Rect& screen) const {
    return std::round(
        std::clamp(prepared_screen_.x + divider_ * prepared_screen_.width, screen.x, screen.right()));
}

void PreviewView::draw_divider(const Rect& screen, const WindowState& shared) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Rect& room = screen;
    const float line = divider_at(screen);
    const float inset = shared.px(10);
    const std::string percent = std::to_string(static_cast<int>(model_.progress() * 100)) + " %";
    const std::string after =
        (difference_ ? "difference × " + std::to_string(difference_gain) : std::string("after")) +
        (model_.busy() ? " · " + percent : "");
    if (line - room.x > shared.px(80))
        draw_label("before", ImVec2(room.x + inset, room.y + inset), shared, false);
    if (room.right() - line > shared.px(120))
        draw_label(after, ImVec2(room.right() - inset, room.y + inset), shared, true);
    draw->AddLine(ImVec2(line, screen.y), ImVec2(line, screen.bottom()), faded(theme().background, 0.6f),
                  shared.px(4));
    draw->AddLine(ImVec2(line, screen.y), ImVec2(line, screen.bottom()), theme().text_strong, shared.px(2));
    const ImVec2 handle(line, screen.y + screen.height / 2);
    draw->AddCircleFilled(handle, shared.px(14), faded(theme().background, 0.6f));
    draw->AddCircleFilled(handle, shared.px(13), theme().text_strong);
    draw_triangle(draw, Triangle::left, ImVec2(handle.x - shared.px(4), handle.y), shared.px(8),
                  theme().background);
    draw_triangle(draw, Triangle::right, ImVec2(handle.x + shared.px(4), handle.y), shared.px(8),
                  theme().background);
}

void PreviewView::draw_tile(const Rect& screen, const WindowState& shared) const {
    const PixelFacts& pixel = model_.pixel();
    if (!pixel.known || model_.run() == nullptr) return;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const auto margin = static_cast<float>(model_.run()->margin());
    const auto on_screen = [&](const preview::Box& box) {
        const ImVec2 a =
            place_.to_screen(static_cast<float>(box.left) - margin, static_cast<float>(box.top) - margin);
        return Rect{a.x, a.y, static_cast<float>(box.width()) * place_.scale,
                    static_cast<float>(box.height()) * place_.scale};
    };
    const Rect tile = on_screen(pixel.tile), halo = on_screen(pixel.read);
    draw->PushClipRect(screen.min(), screen.max(), true);
    const ImU32 faint = faded(theme().text_strong, 0.22f);
    for (int i = -3; i <= 4 && tile.width >= 6; ++i) {
        const float x = tile.x + static_cast<float>(i) * tile.width,
                    y = tile.y + static_cast<float>(i) * tile.height;
        draw->AddLine(ImVec2(x, tile.y - 3 * tile.height), ImVec2(x, tile.y + 4 * tile.height), faint);
        draw->AddLine(ImVec2(tile.x - 3 * tile.width, y), ImVec2(tile.x + 4 * tile.width, y), faint);
    }
    if (!halo.empty()) draw_dashed(halo, theme().barrier, shared);
    draw->AddRect(tile.min(), tile.max(), theme().active_edge, 0, 0, shared.px(2));
    const ImVec2 at = place_.to_screen(static_cast<float>(pixel.x), static_cast<float>(pixel.y));
    if (place_.scale >= 4)
        draw->AddRect(at, ImVec2(at.x + place_.scale, at.y + place_.scale), theme().text_strong, 0, 0,
                      shared.px(1.5f));
    if (model_.pinned()) {
        const ImVec2 middle(at.x + place_.scale / 2, at.y + place_.scale / 2);
        draw->AddCircle(middle, std::max(place_.scale * 0.75f, shared.px(7)), theme().background, 0,
                        shared.px(4));
        draw->AddCircle(middle, std::max(place_.scale * 0.75f, shared.px(7)), theme().text_strong, 0,
                        shared.px(2));
    }
    const auto halo_width = (static_cast<int>(pixel.read.width()) - static_cast<int>(pixel.tile.width())) / 2;
    const std::string first = "tile " + std::to_string(pixel.tile.width()) + " × " +
                              std::to_string(pixel.tile.height()) + " (blue)";
    const std::string second =
        "read " + std::to_string(pixel.read.width()) + " × " + std::to_string(pixel.read.height()) +
        (halo_width > 0 ? ", halo " + std::to_string(halo_width) : "") + " (amber, dashed)";
    const float width =
        std::max(text_width(fonts().small, first), text_width(fonts().small, second)) + shared.px(16);
    const float x = std::min(std::max(tile.right(), halo.right()) + shared.px(8), screen.right() - width);
    const float y =
        std::clamp(halo.y - shared.px(44), screen.y + shared.px(40), screen.bottom() - shared.px(42));
    draw->AddRectFilled(ImVec2(x, y), ImVec2(x + width, y + shared.px(40)), faded(theme().background, 0.88f));
    draw_text(draw, fonts().small, ImVec2(x + shared.px(8), y + shared.px(5)), theme().text, first);
    draw_text(draw, fonts().small, ImVec2(x + shared.px(8), y + shared.px(21)), theme().text, second);
    draw->PopClipRect();
}

void PreviewView::draw_values(const Rect& screen, const WindowState& shared) const {
    if (!shows_values(shared)) return;
    const image::Image& image = model_.image();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(screen.min(), screen.max(), true);
    const float line = prepared_screen_.x + divider_ * prepared_screen_.width;
    const auto first = [](float at) { return static_cast<std::uint32_t>(std::max(at, 0.0f)); };
    const std::uint32_t end_x = std::min(image.width, first(place_.x_at(screen.right())) + 1);
    const std::uint32_t end_y = std::min(image.height, first(place_.y_at(screen.bottom())) + 1);
    const std::uint32_t colours = image.has_alpha() ? image.channels - 1 : image.channels;
    const auto draw_all = [&](const std::vector<std::uint16_t>& right) {
        for (std::uint32_t y = first(place_.y_at(screen.y)); y < end_y; ++y)
            for (std::uint32_t x = first(place_.x_at(screen.x)); x < end_x; ++x) {
                const ImVec2 at = place_.to_screen(static_cast<float>(x), static_cast<float>(y));
                const std::vector<std::uint16_t>& samples =
                    at.x + place_.scale / 2 < line ? image.samples : right;
                const Rgb colour = colour_at(image, samples, x, y);
                const bool light = colour.red * 3 + colour.green * 6 + colour.blue > 1280;
                const float row = font_size(fonts().mono_tiny);
                const float top = at.y + (place_.scale - row * static_cast<float>(colours)) / 2;
                for (std::uint32_t c = 0; c < colours; ++c)
                    draw_text_centred(
                        draw, fonts().mono_tiny, {at.x, top + row * static_cast<float>(c), place_.scale, row},
                        light ? IM_COL32(0, 0, 0, 255) : IM_COL32_WHITE,
                        std::to_string(samples[(std::size_t{y} * image.width + x) * image.channels + c]));
            }
    };
    with_right_half(draw_all);
    draw->PopClipRect();
}

void PreviewView::draw_tooltip(const WindowState& shared) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float x = place_.x_at(mouse.x), y = place_.y_at(mouse.y);
    const image::Image& image = model_.image();
    if (x < 0 || y < 0 || x >= static_cast<float>(image.width) || y >= static_cast<float>(image.height))
        return;
    const auto column = static_cast<std::uint32_t>(x), row = static_cast<std::uint32_t>(y);
    std::string before, after;
    for (std::uint32_t c = 0; c < image.channels; ++c) {
        before += " " + std::to_string(image.at(column, row, c));
        with_right_half([&](const std::vector<std::uint16_t>& samples) {
            after +=
                " " + std::to_string(samples[(std::size_t{row} * image.width + column) * image.channels + c]);
        });
    }
    std::string text = "before" + before + (difference_ ? "\ndifference × 4" : "\nafter") + after;
    const std::vector<std::uint32_t> loaders = model_.loaders_of(column, row);
    if (!loaders.empty()) {
        const auto& block = model_.run()->fit().instance.launches.back().block;
        text += "\nfor the tile loaded by thread (" + std::to_string(loaders.front() % block[0]) + ", " +
                std::to_string(loaders.front() / block[0]) + ")";
        if (loaders.size() > 1) text += " and by " + std::to_string(loaders.size() - 1) + " more loads";
    }
    tooltip("(" + std::to_string(column) + ", " + std::to_string(row) + ")",
            text + (model_.pinned() ? "\nclick: pin this one · Esc: let go" : "\nclick: pin") +
                " · drag: move\nwheel: zoom · double click: fit",
            shared);
}

void PreviewView::draw_empty(const Rect& room, const WindowState& shared) const {
    draw_text_centred(ImGui::GetWindowDrawList(), fonts().title,
                      {room.x, room.y, room.width, room.height - shared.px(40)}, theme().text,
                      "Drop a PNG, JPEG or BMP here");
}

void PreviewView::content(const Rect& inside, const session::Session&, const WindowState& shared,
                          Requests& requests) {
    const float edge = shared.px(24);
    const Rect room{inside.x + edge, inside.y + edge, inside.width - 2 * edge, inside.height - 2 * edge};
    if (room.empty()) return;
    if (!model_.has_image()) return draw_empty(room, shared);
    place_image(room);
    const image::Image& image = model_.image();
    const Rect whole{place_.origin.x, place_.origin.y,
                     std::round(static_cast<float>(image.width) * place_.scale),
                     std::round(static_cast<float>(image.height) * place_.scale)};
    Rect screen = intersection(room, whole);
    screen = {std::round(screen.x), std::round(screen.y), std::floor(screen.width),
              std::floor(screen.height)};
    if (screen.empty()) return;
    take_mouse(screen, shared);
    const auto pixel = [](float at, std::uint32_t most) {
        return static_cast<std::uint32_t>(std::clamp(at, 0.0f, static_cast<float>(most)));
    };
    model_.set_visible({pixel(place_.x_at(screen.x), image.width), pixel(place_.y_at(screen.y), image.height),
                        pixel(std::ceil(place_.x_at(screen.right())), image.width),
                        pixel(std::ceil(place_.y_at(screen.bottom())), image.height)});
    prepare(screen, requests);
    draw_halves(screen);
    draw_values(screen, shared);
    draw_reuse(screen, shared);
    draw_divider(screen, shared);
    draw_tile(screen, shared);
    if (hovered(screen, shared) && !panning_ && !dragging_divider_) draw_tooltip(shared);
    if (!model_.problem().empty()) {
        const Rect line{room.x, inside.bottom() - edge, room.width, edge};
        draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                         ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().conflict,
                         model_.problem(), line.width);
    }
}

}  // namespace lanescope::ui
