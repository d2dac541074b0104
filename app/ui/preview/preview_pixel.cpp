// One pixel in the preview's right column: the products that made it, their sum, and who loaded what.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ui/kit/widgets.h"
#include "ui/preview/preview_side.h"

namespace lanescope::ui {

namespace {

constexpr std::uint32_t max_side_in_numbers = 5;  // sides of masks whose products stand in the cells

ImU32 colour_of(const image::Image& image, const std::vector<std::uint16_t>& samples, std::int64_t x,
                std::int64_t y) {
    const std::size_t at =
        (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x)) * image.channels;
    const int shift = image.bits == 16 ? 8 : 0;
    const auto level = [&](std::uint32_t c) { return samples[at + (image.channels >= 3 ? c : 0)] >> shift; };
    return IM_COL32(level(0), level(1), level(2), 255);
}

// With a minus that is as wide as a digit, and no zeros behind what counts.
std::string short_number(double value, int digits) {
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, std::abs(value) < 1e-9 ? 0 : std::abs(value));
    std::string made = text;
    if (made.find('.') != made.npos) {
        made.erase(made.find_last_not_of('0') + 1);
        if (made.back() == '.') made.pop_back();
    }
    return (value < 0 && made != "0" ? "−" : "") + made;
}

std::string fixed(double value, int digits) {
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, std::abs(value));
    return (value < 0 && std::abs(value) >= 0.5 * std::pow(10, -digits) ? "−" : "") + std::string(text);
}

std::string place(std::uint32_t thread, const trace::Dim3& block) {
    return "(" + std::to_string(thread % block.x) + ", " + std::to_string(thread / block.x) + ")";
}

trace::Dim3 block_of(const preview::Run& run) {
    const auto& block = run.fit().instance.launches.back().block;
    return {block[0], block[1], block[2]};
}

// "3 274 912 ÷ 2^20 = 3.12"
std::string sum_words(const preview::MaskSum& mask) {
    if (mask.scale == 1) return fixed(mask.sum, 2);
    const std::string sum = grouped(static_cast<std::uint64_t>(std::llround(std::abs(mask.sum))));
    return (mask.sum < 0 ? "−" : "") + sum + " ÷ 2^" +
           std::to_string(static_cast<int>(std::log2(mask.scale))) + " = " + fixed(mask.divided(), 2);
}

bool small(const preview::MaskSum& mask) {
    return mask.rows <= max_side_in_numbers && mask.columns <= max_side_in_numbers;
}

const char* channel_name(const image::Image& image, std::uint32_t channel) {
    static constexpr const char* colours[] = {"red", "green", "blue", "alpha"};
    if (image.channels >= 3) return colours[std::min(channel, 3u)];
    return channel == 0 ? "grey" : "alpha";
}

}  // namespace

const preview::SampleParts* PreviewSide::parts() {
    const preview::Run* run = model_.run();
    const PixelFacts& pixel = model_.pixel();
    if (run == nullptr) return nullptr;
    channel_ = std::min(channel_, run->filtered_channels() - 1);
    const bool same = parts_ && parts_run_ == run && parts_x_ == pixel.x && parts_y_ == pixel.y &&
                      parts_channel_ == channel_;
    if (!same) parts_ = preview::sample_parts(*run, pixel.x, pixel.y, channel_);
    parts_run_ = run;
    parts_x_ = pixel.x;
    parts_y_ = pixel.y;
    parts_channel_ = channel_;
    return &*parts_;
}

void PreviewSide::pixel_part(const WindowState& shared) {
    pixel_head(shared);
    pixel_tools(shared);
    const preview::SampleParts* made = parts();
    const bool map = wishes_.reuse && model_.pixel().known;
    if (made != nullptr && small(made->masks.front()) && !map) {
        product_grids(shared);
        const Rect box = row(shared, made->masks.size() > 1 ? 76 : 56);
        sum_lines(box, shared);
        (void)small_lines(load_words(), row(shared, 40), shared);
        return;
    }
    const Rect box = row(shared, 126);
    const Rect square{box.x, box.y + shared.px(2), shared.px(116), shared.px(116)};
    Rect words{box.x + shared.px(130), box.y, box.width - shared.px(130), box.height};
    if (map) {
        reuse_cells(square);
        words.y += shared.px(14);
        (void)small_lines(reuse_words(), words, shared);
        return;
    }
    pixel_cells(square, shared);
    sum_lines(words, shared);
    words.y += shared.px(made != nullptr && made->masks.size() > 1 ? 78.0f : 58.0f);
    (void)small_lines(load_words(), words, shared);
}

void PreviewSide::pixel_head(const WindowState& shared) {
    const PixelFacts& pixel = model_.pixel();
    const Rect head = section(model_.pinned() ? "this pixel, pinned" : "this pixel", shared);
    if (model_.pinned()) {
        if (link("##unpin", "let go · Esc", head.right(), head, shared)) model_.unpin();
    } else {
        const std::string hint = "follows the mouse; a click pins it";
        draw_text(ImGui::GetWindowDrawList(), fonts().small,
                  ImVec2(head.right() - text_width(fonts().small, hint),
                         centre_line(fonts().small, head.y, head.height)),
                  theme().text_faint, hint);
    }
    const Rect line = row(shared, 24);
    std::string where = "(" + std::to_string(pixel.x) + ", " + std::to_string(pixel.y) + ")";
    if (pixel.known)
        where += " · block (" + std::to_string(pixel.block_x) + ", " + std::to_string(pixel.block_y) +
                 ") · thread " + place(pixel.thread, block_of(*model_.run()));
    const float room = line.width - text_width(fonts().text, where) - shared.px(10);
    std::string step = model_.stepping() ? "running…" : "step into this block";
    if (text_width(fonts().text, step) > room) step = "step into it";
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().text, where,
                     line.width - (pixel.known ? text_width(fonts().text, step) + shared.px(10) : 0));
    if (pixel.known && link("##step", step, line.right(), line, shared)) model_.step_into();
}

// Which channel, and the reuse map in place of the products.
void PreviewSide::pixel_tools(const WindowState& shared) {
    const PixelFacts& pixel = model_.pixel();
    const Rect line = row(shared, 24);
    channel_choice(line, shared);
    if (pixel.known && !pixel.reuse.empty() &&
        link("##reuse", wishes_.reuse ? "hide the reuse map" : "reuse map", line.right(), line, shared))
        wishes_.reuse = !wishes_.reuse;
}

void PreviewSide::channel_choice(const Rect& line, const WindowState& shared) {
    const image::Image& image = model_.image();
    const std::uint32_t channels = model_.run() != nullptr ? model_.run()->filtered_channels() : 0;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float y = centre_line(fonts().text, line.y, line.height);
    float x = line.x;
    const auto word = [&](const std::string& text, ImU32 colour) {
        draw_text(draw, fonts().text, ImVec2(x, y), colour, text);
        x += text_width(fonts().text, text) + shared.px(10);
    };
    word(wishes_.reuse ? "reads of" : "products of", theme().text_quiet);
    if (wishes_.reuse || channels < 2) return word(channel_name(image, 0), theme().text);
    for (std::uint32_t c = 0; c < channels; ++c) {
        const std::string name = channel_name(image, c);
        const Rect box{x, line.y, text_width(fonts().text, name), line.height};
        if (click_area(("##channel" + std::to_string(c)).c_str(), box)) channel_ = c;
        if (c == channel_)
            draw->AddRectFilled(ImVec2(box.x, box.bottom() - shared.px(2)), box.max(), theme().active_edge);
        word(name, c == channel_ ? theme().text_strong : theme().accent);
    }
}

// One grid, or those along x and along y beside each other.
void PreviewSide::product_grids(const WindowState& shared) {
    const preview::SampleParts& made = *parts_;
    const auto masks = static_cast<float>(made.masks.size());
    const std::uint32_t rows = made.masks.front().rows;
    const Rect box = row(shared, 31 * static_cast<float>(rows) + 2);
    const float between = masks > 1 ? shared.px(12) : 0;
    const float room = (box.width - between * (masks - 1)) / masks;
    float left = box.x;
    for (const preview::MaskSum& mask : made.masks) {
        const float width = std::min(room / static_cast<float>(mask.columns), shared.px(100)),
                    height = shared.px(31);
        double largest = 1e-12;
        for (const preview::Product& cell : mask.cells)
            largest = std::max(largest, std::abs(cell.product()));
        for (std::uint32_t i = 0; i < mask.cells.size(); ++i) {
            const auto c = static_cast<float>(i % mask.columns), r = static_cast<float>(i / mask.columns);
            product_cell({left + width * c, box.y + height * r, width - 2, height - 2}, mask, mask.cells[i],
                         largest, shared);
        }
        left += room + between;
    }
}

void PreviewSide::product_cell(const Rect& box, const preview::MaskSum& mask, const preview::Product& cell,
                               double largest, const WindowState& shared) const {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const double product = cell.product();
    const auto share = static_cast<float>(std::abs(product) / largest);
    const ImU32 fill =
        blend(theme().cell, product < 0 ? theme().write_edge : theme().active_edge, 0.6f * share);
    draw->AddRectFilled(box.min(), box.max(), fill, shared.px(2));
    draw->AddRect(box.min(), box.max(), theme().cell_edge, shared.px(2));
    const image::Image& image = model_.image();
    const float bar = shared.px(4);
    draw->AddRectFilled(
        box.min(), ImVec2(box.x + bar, box.bottom()),
        cell.outside ? IM_COL32(0, 0, 0, 255) : colour_of(image, image.samples, cell.x, cell.y));
    const Rect text{box.x + bar, box.y, box.width - bar, box.height};
    const std::string value = short_number(cell.value, 0);
    const std::string weight = short_number(cell.weight / mask.scale, 3);
    const std::string factors = cell.outside ? "outside" : value + " × " + weight;
    const Rect upper{text.x, text.y + shared.px(1), text.width, text.height / 2};
    const Rect lower{text.x, text.y + text.height / 2 - shared.px(1), text.width, text.height / 2};
    if (text_width(fonts().mono_tiny, factors) <= upper.width)
        draw_text_centred(draw, fonts().mono_tiny, upper, blend(fill, theme().text_strong, 0.75f), factors);
    else
        draw_text_centred(draw, fonts().mono_tiny, upper, blend(fill, theme().text_strong, 0.75f),
                          value + "×" + weight);
    const std::string made = short_number(product / mask.scale, 2);
    ImFont* font =
        text_width(fonts().mono_small, made) <= lower.width ? fonts().mono_small : fonts().mono_tiny;
    draw_text_centred(draw, font, lower, theme().text_strong, made);
    if (hovered(box, shared)) cell_tooltip(mask, cell, shared);
}

void PreviewSide::cell_tooltip(const preview::MaskSum& mask, const preview::Product& cell,
                               const WindowState& shared) const {
    const preview::Run& run = *model_.run();
    const std::string product = short_number(cell.value, 0) + " × " +
                                short_number(cell.weight / mask.scale, 6) + " = " +
                                short_number(cell.product() / mask.scale, 4);
    std::string text = product;
    if (mask.scale != 1)
        text += "\nto the kernel: " + short_number(cell.value, 0) + " × " + short_number(cell.weight, 0) +
                " = " + short_number(cell.product(), 0);
    if (cell.outside) return tooltip("outside of the image: 0", text, shared);
    const auto x = static_cast<std::uint32_t>(cell.x), y = static_cast<std::uint32_t>(cell.y);
    const std::vector<std::uint32_t> loaders = model_.loaders_of(x, y);
    for (std::size_t i = 0; i < loaders.size() && i < 3; ++i)
        text += std::string(i == 0 ? "\nloaded by thread " : ", ") + place(loaders[i], block_of(run));
    if (loaders.size() > 3)
        text += " and " + std::to_string(loaders.size() - 3) + " more loads of this block";
    for (const preview::Reuse& reuse : model_.pixel().reuse)
        if (reuse.x == x + run.margin() && reuse.y == y + run.margin() && reuse.shared > 0)
            text += "\nread " + std::to_string(reuse.shared) + " × from shared memory by the block";
    tooltip("pixel (" + std::to_string(x) + ", " + std::to_string(y) + ")", text, shared);
}

// Masks too large for numbers: the pixels under them, with the product at the mouse.
void PreviewSide::pixel_cells(const Rect& box, const WindowState& shared) const {
    const image::Image& image = model_.image();
    if (!parts_ || parts_run_ != model_.run()) return;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const preview::MaskSum& mask = parts_->masks.front();
    const float side = box.width / static_cast<float>(std::max({mask.rows, mask.columns, 3u}));
    for (std::uint32_t i = 0; i < mask.cells.size(); ++i) {
        const preview::Product& cell = mask.cells[i];
        const std::uint32_t r = i / mask.columns, c = i % mask.columns;
        const Rect at{box.x + side * static_cast<float>(c), box.y + side * static_cast<float>(r), side - 1,
                      side - 1};
        draw->AddRectFilled(
            at.min(), at.max(),
            cell.outside ? IM_COL32(0, 0, 0, 255) : colour_of(image, image.samples, cell.x, cell.y));
        const bool middle = r == mask.rows / 2 && c == mask.columns / 2;
        draw->AddRect(at.min(), at.max(), middle ? theme().active_edge : theme().line, 0, 0,
                      middle ? shared.px(2) : 1);
        if (hovered(at, shared)) {
            draw->AddRect(at.min(), at.max(), theme().text_strong, 0, 0, shared.px(1.5f));
            cell_tooltip(mask, cell, shared);
        }
    }
}

// How the products become the level.
void PreviewSide::sum_lines(const Rect& box, const WindowState& shared) {
    if (!parts_ || parts_run_ != model_.run()) return;
    const preview::SampleParts& made = *parts_;
    std::vector<std::string> words;
    if (made.masks.size() > 1) {
        words.push_back("sums: along x " + sum_words(made.masks[0]) + ", along y " +
                        sum_words(made.masks[1]));
        words.push_back("√(x² + y²) = " + fixed(made.value, 2));
    } else {
        words.push_back("sum " + sum_words(made.masks.front()));
    }
    words.back() += ", rounded " + short_number(made.rounded, 0);
    if (made.limited()) words.back() += ", limited to " + std::to_string(made.level);
    const float below = small_lines(words, box, shared);
    const Rect line{box.x, below, box.width, shared.px(34)};
    if (made.agrees()) return pixel_result(line, shared);
    const std::string wrong =
        made.written ? "but the kernel wrote " + fixed(made.by_kernel, 2) : "but the kernel did not write it";
    draw_text_within(ImGui::GetWindowDrawList(), fonts().text,
                     ImVec2(line.x, centre_line(fonts().text, line.y, line.height)), theme().conflict, wrong,
                     line.width);
}

void PreviewSide::pixel_result(const Rect& line, const WindowState& shared) const {
    const image::Image& image = model_.image();
    const PixelFacts& pixel = model_.pixel();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::string is = "the pixel is";
    draw_text(draw, fonts().text, ImVec2(line.x, centre_line(fonts().text, line.y, line.height)),
              theme().text_quiet, is);
    const float side = shared.px(24), x = line.x + text_width(fonts().text, is) + shared.px(10);
    const ImVec2 a(x, line.y + (line.height - side) / 2), b(x + side, line.y + (line.height + side) / 2);
    std::string values;
    model_.with_result([&](const std::vector<std::uint16_t>& samples) {
        draw->AddRectFilled(a, b, colour_of(image, samples, pixel.x, pixel.y));
        for (std::uint32_t c = 0; c < image.channels; ++c)
            values +=
                (c ? " " : "") +
                std::to_string(samples[(std::size_t{pixel.y} * image.width + pixel.x) * image.channels + c]);
    });
    draw->AddRect(a, b, theme().active_edge, 0, 0, shared.px(2));
    draw_text(draw, fonts().mono, ImVec2(b.x + shared.px(10), centre_line(fonts().mono, line.y, line.height)),
              theme().text, values);
}

// Returns where the next line would stand.
float PreviewSide::small_lines(const std::vector<std::string>& words, const Rect& box,
                               const WindowState& shared) const {
    float y = box.y + shared.px(4);
    for (const std::string& word : words) {
        draw_text_within(ImGui::GetWindowDrawList(), fonts().small, ImVec2(box.x, y), theme().text, word,
                         box.width);
        y += shared.px(18);
    }
    return y;
}

std::vector<std::string> PreviewSide::load_words() const {
    const PixelFacts& pixel = model_.pixel();
    if (!pixel.known)
        return {model_.busy() || model_.sampling() ? "its block is being run" : "its block is not known"};
    if (pixel.loads == 0) return {"its last launch reads another buffer than the image"};
    return {"its " + std::to_string(pixel.neighbours) + " values: " + grouped(pixel.loads) + " loads by " +
                std::to_string(pixel.loaders) + (pixel.loaders == 1 ? " thread" : " threads") + ", " +
                grouped(pixel.own_loads) + " its own",
            model_.facts()->loads.counted.shared ? "then read from shared memory"
                                                 : "each thread loads what it needs itself"};
}

}  // namespace lanescope::ui
