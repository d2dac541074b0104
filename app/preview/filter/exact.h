// The result that a kernel's is compared with: computed on the host in double precision.
#pragma once

#include <cstdint>
#include <vector>

#include "image/image.h"
#include "preview/filter/border.h"
#include "preview/filter/mask.h"

namespace lanescope::preview {

// Returns one channel with `margin` more pixels at each side, which the border fills; height + 2 · margin
// rows.
std::vector<float> padded_plane(const image::Image& image, std::uint32_t channel, std::uint32_t margin,
                                Border border);

// A row of the exact result: width values in levels, not rounded and not limited.
class ExactRows {
  public:
    ExactRows(const image::Image& image, const Filter& filter, Border border, std::uint32_t channel);
    void row(std::uint32_t y, std::vector<double>& values) const;

  private:
    void apply(const Mask& mask, std::uint32_t y, std::vector<double>& values) const;

    std::uint32_t width_, margin_;
    std::vector<float> padded_;
    const Filter& filter_;
};

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
