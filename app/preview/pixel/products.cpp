#include "preview/pixel/products.h"

#include <algorithm>
#include <cmath>

namespace lanescope::preview {

namespace {

// The weights of the wanted mask: a kernel may take a larger one, with zeros around it, or a vector.
std::vector<double> weights_of(const Fit& fit, const Mask& mask) {
    const std::vector<double> given = fit.mask_values(mask);
    const std::uint32_t left = (fit.mask_columns - mask.columns) / 2;
    const std::uint32_t top = ((fit.separable ? fit.mask_columns : fit.mask_rows) - mask.rows) / 2;
    std::vector<double> weights;
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c)
            weights.push_back(fit.separable ? given[top + r] * given[left + c]
                                            : given[(top + r) * fit.mask_columns + left + c]);
    return weights;
}

MaskSum mask_sum(const Run& run, std::size_t number, std::uint32_t x, std::uint32_t y,
                 std::uint32_t channel) {
    const Request& request = run.request();
    const image::Image& image = *request.image;
    const Mask& mask = request.filter.masks[number];
    const std::vector<double> weights = weights_of(run.fit(number), mask);
    MaskSum made;
    made.rows = mask.rows;
    made.columns = mask.columns;
    made.scale = run.fit(number).scale;
    for (std::uint32_t r = 0; r < mask.rows; ++r)
        for (std::uint32_t c = 0; c < mask.columns; ++c) {
            Product cell;
            cell.x = source_index(std::int64_t{x} + c - mask.columns / 2, image.width, request.border);
            cell.y = source_index(std::int64_t{y} + r - mask.rows / 2, image.height, request.border);
            cell.outside = cell.x < 0 || cell.y < 0;
            if (!cell.outside)
                cell.value =
                    image.at(static_cast<std::uint32_t>(cell.x), static_cast<std::uint32_t>(cell.y), channel);
            cell.weight = weights[made.cells.size()];
            made.sum += cell.product();
            made.cells.push_back(cell);
        }
    return made;
}

}  // namespace

// The tolerance allows for a float, which keeps 24 binary digits of a sum.
bool SampleParts::agrees() const {
    double size = 1;
    for (const MaskSum& mask : masks)
        for (const Product& cell : mask.cells)
            size += std::abs(cell.product()) / mask.scale;
    return written && std::abs(by_kernel - value) <= size * 1e-5;
}

SampleParts sample_parts(const Run& run, std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
    const image::Image& image = *run.request().image;
    SampleParts made;
    for (std::size_t number = 0; number < run.request().filter.masks.size(); ++number)
        made.masks.push_back(mask_sum(run, number, x, y, channel));
    made.value = made.masks.front().divided();
    for (std::size_t i = 1; i < made.masks.size(); ++i)
        made.value = magnitude(made.value, made.masks[i].divided());
    made.rounded = std::nearbyint(made.value);
    made.level = to_level(made.value, image.max_level());
    const std::size_t pixel = std::size_t{y} * image.width + x;
    made.written = run.done()[pixel] == run.passes();
    made.by_kernel = static_cast<double>(run.values()[channel][pixel]);
    return made;
}

}  // namespace lanescope::preview
