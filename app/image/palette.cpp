#include "image/palette.h"

#include <algorithm>

namespace lanescope::image {
namespace {

struct Counted {
    Rgb colour;
    std::uint32_t count = 0;
};

Rgb rgb_of(std::uint32_t pixel) {
    return {std::uint8_t(pixel >> 16), std::uint8_t(pixel >> 8), std::uint8_t(pixel)};
}

// Colours [first, end) of the list, as a box in the colour cube.
struct Box {
    std::size_t first = 0, end = 0;
    std::uint64_t count = 0;  // pixels
    std::size_t channel = 0;  // of the longest side
    unsigned side = 0;        // length of the longest side

    void measure(const std::vector<Counted>& all) {
        Rgb least{255, 255, 255}, most{0, 0, 0};
        count = 0;
        for (std::size_t i = first; i < end; ++i) {
            count += all[i].count;
            for (std::size_t c = 0; c < 3; ++c) {
                least[c] = std::min(least[c], all[i].colour[c]);
                most[c] = std::max(most[c], all[i].colour[c]);
            }
        }
        side = 0;
        for (std::size_t c = 0; c < 3; ++c)
            if (unsigned(most[c] - least[c]) > side) side = unsigned(most[c] - least[c]), channel = c;
    }
    // Boxes that are large or hold many pixels are cut first. The limit on the count keeps flat surfaces from
    // taking all colours from the text.
    double weight() const {
        return end - first < 2 ? 0 : double(side) * double(side) * std::min<double>(double(count), 4000);
    }
};

// Cuts the box at the median of its pixels, along its longest side.
Box cut(Box& box, std::vector<Counted>& all) {
    const std::size_t channel = box.channel;
    std::sort(all.begin() + std::ptrdiff_t(box.first), all.begin() + std::ptrdiff_t(box.end),
              [&](const Counted& a, const Counted& b) {
                  return a.colour[channel] != b.colour[channel] ? a.colour[channel] < b.colour[channel]
                                                                : a.colour < b.colour;
              });
    std::uint64_t below = 0;
    std::size_t at = box.first;
    while (at + 1 < box.end && (below += all[at].count) * 2 < box.count)
        ++at;
    at = std::clamp(at, box.first + 1, box.end - 1);
    Box upper{at, box.end};
    box.end = at;
    box.measure(all);
    upper.measure(all);
    return upper;
}

Rgb mean(const Box& box, const std::vector<Counted>& all) {
    std::array<std::uint64_t, 3> sum{};
    for (std::size_t i = box.first; i < box.end; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            sum[c] += std::uint64_t(all[i].colour[c]) * all[i].count;
    Rgb colour{};
    for (std::size_t c = 0; c < 3; ++c)
        colour[c] = std::uint8_t((sum[c] + box.count / 2) / box.count);
    return colour;
}

}  // namespace

Palette::Palette(std::span<const std::uint32_t> pixels, std::size_t most) {
    std::unordered_map<std::uint32_t, std::uint32_t> counts;
    for (const std::uint32_t pixel : pixels)
        ++counts[pixel];
    std::vector<std::uint32_t> occurring;
    for (const auto& [pixel, count] : counts)
        occurring.push_back(pixel);
    std::sort(occurring.begin(), occurring.end());  // the same picture gives the same file
    std::vector<Counted> all;
    for (const std::uint32_t pixel : occurring)
        all.push_back({rgb_of(pixel), counts[pixel]});
    if (all.empty()) return;
    std::vector<Box> boxes{{0, all.size()}};
    boxes.front().measure(all);
    while (boxes.size() < most) {
        const auto widest = std::max_element(
            boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.weight() < b.weight(); });
        if (widest->weight() <= 0) break;
        boxes.push_back(cut(*widest, all));
    }
    for (const Box& box : boxes)
        colours_.push_back(mean(box, all));
    assign(occurring);
}

void Palette::assign(const std::vector<std::uint32_t>& occurring) {
    for (const std::uint32_t pixel : occurring) {
        const Rgb wanted = rgb_of(pixel);
        int best = 1 << 30;
        for (std::size_t i = 0; i < colours_.size(); ++i) {
            int distance = 0;
            for (std::size_t c = 0; c < 3; ++c) {
                const int by = int(wanted[c]) - int(colours_[i][c]);
                distance += by * by;
            }
            if (distance < best) best = distance, numbers_[pixel] = std::uint8_t(i);
        }
    }
}

}  // namespace lanescope::image
