// The result that a kernel's is compared with: computed on the host in double precision.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"
#include "preview/filter/border.h"
#include "preview/filter/mask.h"

namespace lanescope::preview {

// One channel of an image with `margin` more pixels at each side, which the border fills. A row is made when
// it is asked for: planes of large images are not kept as floats.
class PaddedPlane {
  public:
    PaddedPlane(const image::Image& image, std::uint32_t channel, std::uint32_t margin, Border border);
    std::uint64_t rows() const { return image_.height + 2ull * margin_; }
    std::uint64_t columns() const { return columns_.size(); }
    void row(std::uint64_t y, std::vector<float>& values) const;

  private:
    const image::Image& image_;
    std::uint32_t channel_, margin_;
    Border border_;
    std::vector<std::int64_t> columns_;  // of the image; negative: zero
};

// A row of the exact result: width values in levels, not rounded and not limited.
class ExactRows {
  public:
    ExactRows(const image::Image& image, const Filter& filter, Border border, std::uint32_t channel);
    void row(std::uint32_t y, std::vector<double>& values) const;

  private:
    void apply(const Mask& mask, std::uint32_t y, std::vector<double>& values) const;

    std::uint32_t width_, margin_;
    PaddedPlane plane_;
    const Filter& filter_;
};

// The length of the vector (a, b). std::hypot differs in its last bit between C libraries.
double magnitude(double a, double b);

// A level as a file holds it: rounded to nearest (halves to even), limited to 0 … max_level.
std::uint16_t to_level(double value, double max_level);

struct Difference {
    double largest = 0;  // in levels, of results before they are rounded to levels
    double square_sum = 0;
    std::uint64_t values = 0;         // compared
    std::uint64_t levels_differ = 0;  // of values that are rounded to levels
    std::uint32_t largest_in_levels = 0;

    void add(double value, double exact, double max_level);
    Difference& operator+=(const Difference& other);
    // 10 · log10(max_level² / mean square difference) in dB; infinite when nothing differs.
    double psnr(double max_level) const;
};

}  // namespace lanescope::preview
