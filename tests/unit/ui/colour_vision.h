// Simulates colour vision deficiencies and measures distances of colours and the contrast of text.
// Simulation: Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency" (IEEE TVCG 15(6), 2009), the matrices of severity 1, applied to linear RGB. Distance: Euclidean
// in OKLab (Ottosson 2020); 0.02 is just noticeable, 1 is the distance from black to white. Contrast:
// WCAG 2.2, 1.4.3.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

struct Vision {
    const char* name;
    Matrix matrix;
};

inline constexpr std::array<Vision, 4> visions = {{
    {"common", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
}};

inline Triple times(const Matrix& matrix, const Triple& v) {
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            result[row] += matrix[row][column] * v[column];
    return result;
}

inline Triple linear(ImU32 colour) {
    Triple channels{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = double(colour >> (8 * i) & 255) / 255;
        channels[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return channels;
}

inline Triple seen_by(const Vision& vision, const Triple& rgb) {
    Triple seen = times(vision.matrix, rgb);
    for (double& channel : seen)
        channel = std::clamp(channel, 0.0, 1.0);
    return seen;
}

inline Triple oklab(const Triple& rgb) {
    constexpr Matrix to_lms = {{{0.4122214708, 0.5363325363, 0.0514459929},
                                {0.2119034982, 0.6806995451, 0.1073969566},
                                {0.0883024619, 0.2817188376, 0.6299787005}}};
    constexpr Matrix to_lab = {{{0.2104542553, 0.7936177850, -0.0040720468},
                                {1.9779984951, -2.4285922050, 0.4505937099},
                                {0.0259040371, 0.7827717662, -0.8086757660}}};
    Triple lms = times(to_lms, rgb);
    for (double& channel : lms)
        channel = std::cbrt(channel);
    return times(to_lab, lms);
}

inline double distance(const Vision& vision, const Triple& a, const Triple& b) {
    const Triple x = oklab(seen_by(vision, a)), y = oklab(seen_by(vision, b));
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

inline double luminance(const Triple& rgb) {
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

inline double contrast(const Triple& a, const Triple& b) {
    const auto [dark, bright] = std::minmax({luminance(a), luminance(b)});
    return (bright + 0.05) / (dark + 0.05);
}

}  // namespace lanescope::ui
