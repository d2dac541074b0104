// The products that make one sample of a result: values of the image times the mask, and how their sum
// becomes a level.
#pragma once

#include <cstdint>
#include <vector>

#include "preview/run/run.h"

namespace lanescope::preview {

struct Product {
    std::int64_t x = 0, y = 0;  // of the image's pixel that counts here, after the border's rule
    bool outside = false;       // there is no such pixel: a zero
    double value = 0;           // in levels
    double weight = 0;          // as the kernel gets it: the mask's times the scale, rounded for integers
    double product() const { return value * weight; }
};

struct MaskSum {
    std::uint32_t rows = 0, columns = 0;
    std::vector<Product> cells;  // rows × columns, as the mask is written
    double scale = 1;            // the sum is divided by it
    double sum = 0;              // of the products
    double divided() const { return sum / scale; }
};

struct SampleParts {
    std::vector<MaskSum> masks;  // one; of a magnitude along x and along y
    double value = 0;            // the sum divided; of two the root of the sum of their squares
    double rounded = 0;          // to nearest, halves to even
    std::uint16_t level = 0;     // limited to what the image holds
    bool written = false;        // by the kernel
    double by_kernel = 0;        // what it wrote, divided by the scale
    // Whether the kernel wrote the sum of these products, except for the rounding of its own arithmetic.
    bool agrees() const;
    bool limited() const { return static_cast<double>(level) != rounded; }
};

// `x` and `y` lie in the image; `channel` is a filtered one.
SampleParts sample_parts(const Run& run, std::uint32_t x, std::uint32_t y, std::uint32_t channel);

}  // namespace lanescope::preview
