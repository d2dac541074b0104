// Masks of a convolution: the usual ones by name, a person's own from text, and what an editor does to them.
//
// A mask lies on the image as it is written (correlation): out(x, y) = Σ mask(r, c) · in(x + c − columns/2, y
// + r − rows/2). The kernels of the course and OpenCV's filter2D do the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope::preview {

inline constexpr std::uint32_t max_mask_side = 15;

struct Mask {
    std::uint32_t rows = 1, columns = 1;  // odd, 1 to 15
    std::vector<double> values{1};        // rows × columns

    double& at(std::uint32_t row, std::uint32_t column) { return values[row * columns + column]; }
    double at(std::uint32_t row, std::uint32_t column) const { return values[row * columns + column]; }
    double sum() const;
    double size() const;  // the sum of the absolute values
    bool operator==(const Mask&) const = default;
};

// One mask, or two that are derivatives along x and y: the result is then the magnitude √(x² + y²).
struct Filter {
    std::string name;  // as it was asked for: "gaussian:5"
    std::vector<Mask> masks;
};

struct MaskKind {
    std::string name;         // "gaussian"
    std::string form;         // "gaussian:SIZE[:SIGMA]"
    std::string description;  // in a few words
};
const std::vector<MaskKind>& mask_kinds();

// Reads a name with its numbers, or the name of a file for parse_mask(). SIGMA is a number or an expression
// over `size` and `radius` ("size / 6"); the default is OpenCV's, 0.3 · (radius − 1) + 0.8. Errors name the
// column in `text`.
Result<Filter> parse_filter(const std::string& text);

// Reads rows of numbers, one row per line, separated by blanks or commas; # begins a comment. Errors, at
// their line and column: no rows; rows of different lengths; an even or too large number of rows or columns.
Result<Mask> parse_mask(std::string_view text, const std::string& file);
std::string to_text(const Mask& mask);  // what parse_mask() reads

Mask box(std::uint32_t size);
Mask gaussian(std::uint32_t size, double sigma);  // sums to 1
double default_sigma(std::uint32_t size);

Result<Mask> normalised(const Mask& mask);  // sums to 1; error: its sum is 0
Mask transposed(const Mask& mask);
Mask rotated(const Mask& mask);  // by 90° to the right
Mask resized(const Mask& mask, std::uint32_t rows,
             std::uint32_t columns);  // the centre stays; cuts it, or puts zeros around it

// Sets a value and those that mirror it along both middle lines and, in a square mask, along the diagonals.
void set_symmetric(Mask& mask, std::uint32_t row, std::uint32_t column, double value);

}  // namespace lanescope::preview
