#include "ui/preview/preview_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/kit/widget_log.h"
#include "ui/kit/widgets.h"
#include "ui/preview/reuse_map.h"
#include "ui/preview/tile_overlay.h"

namespace lanescope::ui {

namespace {

constexpr int difference_gain = 4;
Rect intersection(const Rect& a, const Rect& b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::max(std::min(a.right(), b.right()) - x, 0.0f),
            std::max(std::min(a.bottom(), b.bottom()) - y, 0.0f)};
}

void draw_label(const std::string& text, ImVec2 at, const WindowState& window, bool from_right) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float width = text_width(fonts().text, text) + window.px(20), height = window.px(24);
    const float x = from_right ? at.x - width : at.x;
    draw->AddRectFilled(ImVec2(x, at.y), ImVec2(x + width, at.y + height), faded(theme().background, 0.9f));
    draw_text_centred(draw, fonts().text, {x, at.y, width, height}, theme().text_strong, text);
}

}  // namespace

void PreviewView::take_mouse(const Rect& room, const WindowState& window) {
    if (window.still) return;
    ImGui::SetCursorScreenPos(room.min());
    ImGui::InvisibleButton("##picture", ImVec2(room.width, room.height));
    name_last_item("picture");
    const ImGuiIO& io = ImGui::GetIO();
    const bool over = ImGui::IsItemHovered();
    const float line = room.x + divider_ * room.width;
    name_widget("divider", {line - window.px(8), room.y, window.px(16), room.height});
    const bool near_line = over && std::abs(io.MousePos.x - line) < window.px(8);
    if (near_line || dragging_divider_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) {
        dragging_divider_ = near_line;
        panning_ = false;
    }
    if (ImGui::IsItemActive() && dragging_divider_)
        divider_ = std::clamp((io.MousePos.x - room.x) / room.width, 0.0f, 1.0f);
    else if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, window.px(4))) {
        panning_ = true;
        zoom_.move(io.MouseDelta.x, io.MouseDelta.y);
    }
    const float x = place().x_at(io.MousePos.x), y = place().y_at(io.MousePos.y);
    const bool on_image = x >= 0 && y >= 0 && x < static_cast<float>(model_.image()->width) &&
                          y < static_cast<float>(model_.image()->height);
    if (ImGui::IsItemDeactivated()) {  // the mouse may have moved off since the press
        const ImVec2 at(place().x_at(io.MouseClickedPos[0].x), place().y_at(io.MouseClickedPos[0].y));
        const bool inside = at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(model_.image()->width) &&
                            at.y < static_cast<float>(model_.image()->height);
        if (!dragging_divider_ && !panning_ && inside) choose_pixel(at.x, at.y, window);
        dragging_divider_ = panning_ = false;
    }
    if (over && on_image && !ImGui::IsItemActive())
        model_.inspector().hover(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
    if (over && ImGui::IsMouseDoubleClicked(0)) zoom_.fit();
    if (over && io.MouseWheel != 0) zoom_.enlarge(std::pow(1.25f, io.MouseWheel), x, y);
}

// Another image is shown as a whole. A file that was written again keeps its place and size.
void PreviewView::fit_new_image() {
    const image::Image* image = model_.image();
    if (std::exchange(zoomed_, image) == image) return;
    const std::filesystem::path& path = model_.image_file().path();
    const bool same =
        path == zoomed_path_ && image->width == zoomed_width_ && image->height == zoomed_height_;
    if (!same) zoom_.fit();
    zoomed_path_ = path;
    zoomed_width_ = image->width;
    zoomed_height_ = image->height;
}

void PreviewView::context_menu(Requests& requests) const {
    if (!ImGui::BeginPopupContextItem("picture menu")) return;
    const auto item = [&](const char* words, const char* keys, const char* action) {
        if (ImGui::MenuItem(words, keys)) requests.act(action);
        name_last_item(words);
    };
    item("Save the result as PNG …", "X", "preview.save_result");
    item("The whole picture", "0", "preview.fit");
    item("Edit the kernel", "E", "preview.edit");
    ImGui::EndPopup();
}

// A click pins the pixel; a click on the pinned pixel unpins it.
void PreviewView::choose_pixel(float x, float y, const WindowState& window) {
    const preview::PixelFacts& pixel = model_.inspector().pixel();
    const float near = std::max(window.px(4) / place().scale, 0.5f);
    const bool same = std::abs(x - static_cast<float>(pixel.x) - 0.5f) <= near &&
                      std::abs(y - static_cast<float>(pixel.y) - 0.5f) <= near;
    if (model_.inspector().pinned() && same)
        model_.inspector().unpin();
    else
        model_.inspector().pin(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
}

void PreviewView::prepare(const Rect& screen, Requests& requests) {
    const bool moved = prepared_screen_.x != screen.x || prepared_screen_.y != screen.y ||
                       prepared_screen_.width != screen.width || prepared_screen_.height != screen.height ||
                       prepared_place_.scale != place().scale ||
                       prepared_place_.origin.x != place().origin.x ||
                       prepared_place_.origin.y != place().origin.y;
    const image::Image& image = *model_.image();
    const bool other = prepared_image_ != &image;
    const bool changed =
        other || prepared_generation_ != model_.runner().generation() || prepared_difference_ != difference_;
    if (!moved && !changed) return;
    if (!difference_)
        differences_ = {};
    else if (changed)
        count_differences();
    prepared_image_ = &image;
    prepared_generation_ = model_.runner().generation();
    prepared_difference_ = difference_;
    prepared_place_ = place();
    prepared_screen_ = screen;
    const auto paint = [&](render::Texture& texture, const Samples& samples) {
        const Result<void> set = texture.set(static_cast<int>(screen.width), static_cast<int>(screen.height),
                                             screen_pixels(image, samples, place(), screen));
        if (!set) requests.problem = set.diagnostics().front().message;
    };
    if (moved || other) paint(before_, image.samples);
    if (!on_device()) with_right_half([&](const Samples& samples) { paint(after_, samples); });
}

void PreviewView::count_differences() {
    const image::Image& image = *model_.image();
    model_.runner().result().with_samples([&](const Samples& samples) { differences_ = samples; });
    for (std::size_t i = 0; i < differences_.size(); ++i)
        if (!image.has_alpha() || i % image.channels + 1 != image.channels)
            differences_[i] = static_cast<std::uint16_t>(
                std::min(std::abs(int{differences_[i]} - int{image.samples[i]}) * difference_gain,
                         static_cast<int>(image.max_level())));
}

// Passes the samples of the right half by reference, because copies of large images are slow.
void PreviewView::with_right_half(const std::function<void(const std::vector<std::uint16_t>&)>& use) const {
    if (difference_ && differences_.size() == model_.image()->samples.size())
        use(differences_);
    else
        model_.runner().result().with_samples(use);
}

void PreviewView::draw_halves(const Rect& screen) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float line = divider_at(screen);
    draw->PushClipRect(ImVec2(screen.x, screen.y), ImVec2(line, screen.bottom()), true);
    draw->AddImage(imgui_texture(before_.name()), screen.min(), screen.max());
    draw->PopClipRect();
    draw->PushClipRect(ImVec2(line, screen.y), screen.max(), true);
    if (on_device()) {
        const image::Image& image = *model_.image();
        if (place().scale < 1) gpu_.average();
        draw->AddImage(imgui_texture(gpu_.texture()), place().origin,
                       place().to_screen(static_cast<float>(image.width), static_cast<float>(image.height)));
    } else {
        draw->AddImage(imgui_texture(after_.name()), screen.min(), screen.max());
    }
    draw->PopClipRect();
}

float PreviewView::divider_at(const Rect& screen) const {
    return std::round(
        std::clamp(prepared_screen_.x + divider_ * prepared_screen_.width, screen.x, screen.right()));
}

void PreviewView::draw_divider(const Rect& screen, const WindowState& window) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const Rect& room = screen;
    const float line = divider_at(screen);
    const float inset = window.px(10);
    const std::string percent = std::to_string(static_cast<int>(model_.runner().progress() * 100)) + " %";
    const std::string after =
        (difference_ ? "difference × " + std::to_string(difference_gain) : std::string("after")) +
        (model_.busy() ? " · " + percent : "");
    if (line - room.x > window.px(80))
        draw_label("before", ImVec2(room.x + inset, room.y + inset), window, false);
    if (room.right() - line > window.px(120))
        draw_label(after, ImVec2(room.right() - inset, room.y + inset), window, true);
    draw->AddLine(ImVec2(line, screen.y), ImVec2(line, screen.bottom()), faded(theme().background, 0.6f),
                  window.px(4));
    draw->AddLine(ImVec2(line, screen.y), ImVec2(line, screen.bottom()), theme().text_strong, window.px(2));
    const ImVec2 handle(line, screen.y + screen.height / 2);
    draw->AddCircleFilled(handle, window.px(14), faded(theme().background, 0.6f));
    draw->AddCircleFilled(handle, window.px(13), theme().text_strong);
    draw_triangle(draw, Triangle::left, ImVec2(handle.x - window.px(4), handle.y), window.px(8),
                  theme().background);
    draw_triangle(draw, Triangle::right, ImVec2(handle.x + window.px(4), handle.y), window.px(8),
                  theme().background);
}

void PreviewView::draw_values(const Rect& screen, const WindowState& window) const {
    if (!shows_values(window)) return;
    const image::Image& image = *model_.image();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->PushClipRect(screen.min(), screen.max(), true);
    const float line = prepared_screen_.x + divider_ * prepared_screen_.width;
    const auto first = [](float at) { return static_cast<std::uint32_t>(std::max(at, 0.0f)); };
    const std::uint32_t end_x = std::min(image.width, first(place().x_at(screen.right())) + 1);
    const std::uint32_t end_y = std::min(image.height, first(place().y_at(screen.bottom())) + 1);
    const std::uint32_t colours = image.has_alpha() ? image.channels - 1 : image.channels;
    const auto draw_all = [&](const Samples& right) {
        for (std::uint32_t y = first(place().y_at(screen.y)); y < end_y; ++y)
            for (std::uint32_t x = first(place().x_at(screen.x)); x < end_x; ++x) {
                const ImVec2 at = place().to_screen(static_cast<float>(x), static_cast<float>(y));
                const Samples& samples = at.x + place().scale / 2 < line ? image.samples : right;
                const Rgb colour = colour_at(image, samples, x, y);
                const bool light = colour.red * 3 + colour.green * 6 + colour.blue > 1280;
                const float row = font_size(fonts().mono_tiny);
                const float top = at.y + (place().scale - row * static_cast<float>(colours)) / 2;
                for (std::uint32_t c = 0; c < colours; ++c)
                    draw_text_centred(
                        draw, fonts().mono_tiny,
                        {at.x, top + row * static_cast<float>(c), place().scale, row},
                        light ? IM_COL32(0, 0, 0, 255) : IM_COL32_WHITE,
                        std::to_string(samples[(std::size_t{y} * image.width + x) * image.channels + c]));
            }
    };
    with_right_half(draw_all);
    draw->PopClipRect();
}

void PreviewView::draw_tooltip(const WindowState& window) const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float x = place().x_at(mouse.x), y = place().y_at(mouse.y);
    const image::Image& image = *model_.image();
    if (x < 0 || y < 0 || x >= static_cast<float>(image.width) || y >= static_cast<float>(image.height))
        return;
    const auto column = static_cast<std::uint32_t>(x), row = static_cast<std::uint32_t>(y);
    std::string before, after;
    for (std::uint32_t c = 0; c < image.channels; ++c) {
        before += " " + std::to_string(image.at(column, row, c));
        with_right_half([&](const Samples& samples) {
            after +=
                " " + std::to_string(samples[(std::size_t{row} * image.width + column) * image.channels + c]);
        });
    }
    std::string text =
        "before" + before +
        (difference_ ? "\ndifference × " + std::to_string(difference_gain) : std::string("\nafter")) + after;
    const std::vector<std::uint32_t> loaders = model_.inspector().loaders_of(column, row);
    if (!loaders.empty()) {
        const auto& block = model_.runner().run()->fit().instance.launches.back().block;
        text += "\nloaded for the tile by thread (" + std::to_string(loaders.front() % block[0]) + ", " +
                std::to_string(loaders.front() / block[0]) + ")";
        if (loaders.size() > 1)
            text += " and by " + std::to_string(loaders.size() - 1) +
                    (loaders.size() == 2 ? " more load" : " more loads");
    }
    tooltip("(" + std::to_string(column) + ", " + std::to_string(row) + ")",
            text + (model_.inspector().pinned() ? "\nclick: pin this pixel · Esc: unpin" : "\nclick: pin") +
                " · drag: move\nwheel: zoom · double click: fit",
            window);
}

void PreviewView::draw_empty(const Rect& room, const WindowState& window) const {
    draw_text_centred(ImGui::GetWindowDrawList(), fonts().title,
                      {room.x, room.y, room.width, room.height - window.px(40)}, theme().text,
                      "Drop a PNG, JPEG or BMP here");
}

void PreviewView::content(const Rect& inside, const ViewContext& view) {
    const float edge = view.px(24);
    const Rect room{inside.x + edge, inside.y + edge, inside.width - 2 * edge, inside.height - 2 * edge};
    if (room.empty()) return;
    if (model_.image() == nullptr) return draw_empty(room, view.window);
    fit_new_image();
    zoom_.place_in(room, model_.image()->width, model_.image()->height);
    const image::Image& image = *model_.image();
    const Rect whole{place().origin.x, place().origin.y,
                     std::round(static_cast<float>(image.width) * place().scale),
                     std::round(static_cast<float>(image.height) * place().scale)};
    Rect screen = intersection(room, whole);
    screen = {std::round(screen.x), std::round(screen.y), std::floor(screen.width),
              std::floor(screen.height)};
    if (screen.empty()) return;
    take_mouse(screen, view.window);
    context_menu(view.requests);
    const auto pixel = [](float at, std::uint32_t end) {
        return static_cast<std::uint32_t>(std::clamp(at, 0.0f, static_cast<float>(end)));
    };
    model_.set_visible({pixel(place().x_at(screen.x), image.width),
                        pixel(place().y_at(screen.y), image.height),
                        pixel(std::ceil(place().x_at(screen.right())), image.width),
                        pixel(std::ceil(place().y_at(screen.bottom())), image.height)});
    prepare(screen, view.requests);
    draw_halves(screen);
    draw_values(screen, view.window);
    const preview::PixelInspector& inspector = model_.inspector();
    const std::uint32_t margin = model_.runner().run() ? model_.runner().run()->margin() : 0;
    if (reuse_ && inspector.pixel().known)
        draw_reuse(inspector.pixel(), margin, place(), screen, shows_values(view.window));
    draw_divider(screen, view.window);
    if (inspector.pixel().known) draw_tile(inspector, margin, place(), screen, view.window);
    if (hovered(screen, view.window) && !panning_ && !dragging_divider_) draw_tooltip(view.window);
    if (const bool failed = !model_.problem().empty(); failed || !model_.notice().empty()) {
        const Rect line{room.x, inside.bottom() - edge, room.width, edge};
        draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                         ImVec2(line.x, centre_line(fonts().text, line.y, line.height)),
                         failed ? theme().conflict : theme().text,
                         failed ? model_.problem() : model_.notice(), line.width);
    }
}

}  // namespace lanescope::ui
