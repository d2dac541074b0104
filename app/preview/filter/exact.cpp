#include "preview/filter/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanescope::preview {

namespace {

std::uint32_t radius_of(const Filter& filter) {
    std::uint32_t radius = 0;
    for (const Mask& mask : filter.masks)
        radius = std::max({radius, mask.rows / 2, mask.columns / 2});
    return radius;
}

}  // namespace

PaddedPlane::PaddedPlane(const image::Image& image, std::uint32_t channel, std::uint32_t margin,
                         Border border)
    : image_(image), channel_(channel), margin_(margin), border_(border) {
    const std::int64_t width = image.width, m = margin;
    for (std::int64_t x = -m; x < width + m; ++x)
        columns_.push_back(source_index(x, width, border));
}

void PaddedPlane::row(std::uint64_t y, std::vector<float>& values) const {
    values.assign(columns_.size(), 0.0f);
    const std::int64_t from =
        source_index(static_cast<std::int64_t>(y) - std::int64_t{margin_}, image_.height, border_);
    if (from < 0) return;
    for (std::size_t x = 0; x < columns_.size(); ++x)
        if (columns_[x] >= 0)
            values[x] = image_.at(static_cast<std::uint32_t>(columns_[x]), static_cast<std::uint32_t>(from),
                                  channel_);
}

ExactRows::ExactRows(const image::Image& image, const Filter& filter, Border border, std::uint32_t channel)
    : width_(image.width),
      margin_(radius_of(filter)),
      plane_(image, channel, margin_, border),
      filter_(filter) {}

void ExactRows::apply(const Mask& mask, std::uint32_t y, std::vector<double>& values) const {
    values.assign(width_, 0.0);
    std::vector<float> from;
    for (std::uint32_t r = 0; r < mask.rows; ++r) {
        plane_.row(std::uint64_t{y} + margin_ - mask.rows / 2 + r, from);
        for (std::uint32_t c = 0; c < mask.columns; ++c) {
            const double weight = mask.at(r, c);
            const float* const first = from.data() + margin_ - mask.columns / 2 + c;
            for (std::uint32_t x = 0; x < width_; ++x)
                values[x] += weight * static_cast<double>(first[x]);
        }
    }
}

void ExactRows::row(std::uint32_t y, std::vector<double>& values) const {
    apply(filter_.masks.front(), y, values);
    if (filter_.masks.size() < 2) return;
    std::vector<double> other;
    apply(filter_.masks[1], y, other);
    for (std::uint32_t x = 0; x < width_; ++x)
        values[x] = magnitude(values[x], other[x]);
}

double magnitude(double a, double b) {
    return std::sqrt(a * a + b * b);
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
