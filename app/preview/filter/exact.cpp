#include "preview/filter/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanescope::preview {

std::vector<float> padded_plane(const image::Image& image, std::uint32_t channel, std::uint32_t margin,
                                Border border) {
    const std::int64_t width = image.width, height = image.height, m = margin;
    std::vector<float> plane(static_cast<std::size_t>((width + 2 * m) * (height + 2 * m)), 0.0f);
    std::vector<std::int64_t> columns(static_cast<std::size_t>(width + 2 * m));
    for (std::size_t x = 0; x < columns.size(); ++x)
        columns[x] = source_index(static_cast<std::int64_t>(x) - m, width, border);
    for (std::int64_t y = -m; y < height + m; ++y) {
        const std::int64_t from = source_index(y, height, border);
        if (from < 0) continue;
        float* const row = plane.data() + static_cast<std::size_t>((y + m) * (width + 2 * m));
        for (std::size_t x = 0; x < columns.size(); ++x)
            if (columns[x] >= 0)
                row[x] = image.at(static_cast<std::uint32_t>(columns[x]), static_cast<std::uint32_t>(from),
                                  channel);
    }
    return plane;
}

ExactRows::ExactRows(const image::Image& image, const Filter& filter, Border border, std::uint32_t channel)
    : width_(image.width), margin_(0), filter_(filter) {
    for (const Mask& mask : filter.masks)
        margin_ = std::max({margin_, mask.rows / 2, mask.columns / 2});
    padded_ = padded_plane(image, channel, margin_, border);
}

void ExactRows::apply(const Mask& mask, std::uint32_t y, std::vector<double>& values) const {
    values.assign(width_, 0.0);
    const std::size_t stride = width_ + 2 * std::size_t{margin_};
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c) {
            const double weight = mask.at(r, c);
            const float* const from =
                padded_.data() + (y + margin_ - mask.rows / 2 + r) * stride + margin_ - mask.columns / 2 + c;
            for (std::uint32_t x = 0; x < width_; ++x)
                values[x] += weight * static_cast<double>(from[x]);
        }
}

void ExactRows::row(std::uint32_t y, std::vector<double>& values) const {
    apply(filter_.masks.front(), y, values);
    if (filter_.masks.size() < 2) return;
    std::vector<double> other;
    apply(filter_.masks[1], y, other);
    for (std::uint32_t x = 0; x < width_; ++x)
        values[x] = std::hypot(values[x], other[x]);
}

std::uint16_t to_level(double value, double max_level) {
    return static_cast<std::uint16_t>(std::clamp(std::nearbyint(value), 0.0, max_level));
}

void Difference::add(double value, double exact, double max_level) {
    const double difference = std::abs(value - exact);
    largest = std::max(largest, difference);
    square_sum += difference * difference;
    ++values;
    const int levels = std::abs(int{to_level(value, max_level)} - int{to_level(exact, max_level)});
    if (levels != 0) ++levels_differ;
    largest_in_levels = std::max(largest_in_levels, static_cast<std::uint32_t>(levels));
}

Difference& Difference::operator+=(const Difference& other) {
    largest = std::max(largest, other.largest);
    square_sum += other.square_sum;
    values += other.values;
    levels_differ += other.levels_differ;
    largest_in_levels = std::max(largest_in_levels, other.largest_in_levels);
    return *this;
}

double Difference::psnr(double max_level) const {
    if (square_sum == 0) return std::numeric_limits<double>::infinity();
    return 10 * std::log10(max_level * max_level * static_cast<double>(values) / square_sum);
}

}  // namespace lanescope::preview
