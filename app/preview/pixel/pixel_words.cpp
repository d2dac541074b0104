#include "preview/pixel/pixel_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/number_text.h"
#include "preview/pixel/reuse_scale.h"

namespace lanescope::preview {

namespace {

std::string fixed(double value, int digits) {
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, std::abs(value));
    return (value < 0 && std::abs(value) >= 0.5 * std::pow(10, -digits) ? "−" : "") + std::string(text);
}

// "3 274 912 ÷ 2^20 = 3.12"
std::string sum_text(const MaskSum& mask) {
    if (mask.scale == 1) return fixed(mask.sum, 2);
    const std::string sum = grouped(static_cast<std::uint64_t>(std::llround(std::abs(mask.sum))));
    return (mask.sum < 0 ? "−" : "") + sum + " ÷ 2^" +
           std::to_string(static_cast<int>(std::log2(mask.scale))) + " = " + fixed(mask.divided(), 2);
}

std::string times(const char* memory, std::uint32_t min, std::uint32_t max) {
    return "each " + std::string(min == max ? "" : std::to_string(min) + " to ") + std::to_string(max) +
           " × from " + memory;
}

}  // namespace

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

std::string thread_place(const Run& run, std::uint32_t thread) {
    const std::uint64_t width = run.fit().instance.launches.back().block[0];
    return "(" + std::to_string(thread % width) + ", " + std::to_string(thread / width) + ")";
}

const char* channel_name(const image::Image& image, std::uint32_t channel) {
    static constexpr const char* colours[] = {"red", "green", "blue", "alpha"};
    if (image.channels >= 3) return colours[std::min(channel, 3u)];
    return channel == 0 ? "grey" : "alpha";
}

std::vector<std::string> sum_lines(const SampleParts& parts) {
    std::vector<std::string> lines;
    if (parts.masks.size() > 1) {
        lines.push_back("sums: along x " + sum_text(parts.masks[0]) + ", along y " +
                        sum_text(parts.masks[1]));
        lines.push_back("√(x² + y²) = " + fixed(parts.value, 2));
    } else {
        lines.push_back("sum " + sum_text(parts.masks.front()));
    }
    lines.back() += ", rounded " + short_number(parts.rounded, 0);
    if (parts.limited()) lines.back() += ", limited to " + std::to_string(parts.level);
    return lines;
}

std::string disagreement(const SampleParts& parts) {
    if (parts.agrees()) return {};
    return parts.written ? "but the kernel wrote " + fixed(parts.by_kernel, 2)
                         : "but the kernel did not write it";
}

std::string product_lines(const MaskSum& mask, const Product& cell) {
    std::string text = short_number(cell.value, 0) + " × " + short_number(cell.weight / mask.scale, 6) +
                       " = " + short_number(cell.product() / mask.scale, 4);
    if (mask.scale != 1)
        text += "\nto the kernel: " + short_number(cell.value, 0) + " × " + short_number(cell.weight, 0) +
                " = " + short_number(cell.product(), 0);
    return text;
}

std::vector<std::string> load_lines(const PixelFacts& pixel, bool recording, bool shared_tiles) {
    if (!pixel.known) return {recording ? "its block is being run" : "its block is not known"};
    if (pixel.loads == 0) return {"its last launch does not read the image"};
    return {"its " + std::to_string(pixel.neighbours) + " values: " + grouped(pixel.loads) + " loads by " +
                std::to_string(pixel.loaders) + (pixel.loaders == 1 ? " thread" : " threads") + ", " +
                grouped(pixel.own_loads) + " by its own",
            shared_tiles ? "then read from shared memory" : "each thread loads its values itself"};
}

std::vector<std::string> reuse_lines(const std::vector<Reuse>& reuse, bool shared_tiles) {
    if (reuse.empty()) return {"its last launch does not read", "the image"};
    const auto [low, high] = std::minmax_element(
        reuse.begin(), reuse.end(), [](const Reuse& a, const Reuse& b) { return a.global < b.global; });
    std::vector<std::string> lines{grouped(reuse.size()) + " pixels that the block reads:",
                                   times("global memory", low->global, high->global)};
    const ReuseScale scale(reuse);
    if (scale.shared)
        lines.push_back(times("shared memory", scale.min, scale.max));
    else
        lines.push_back(shared_tiles ? "not followed into shared memory" : "never from shared memory");
    return lines;
}

}  // namespace lanescope::preview
