// Inputs and expected results of the benchmark kernels, shared by bench_simt and the OpenCL peers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lanescope::bench {

inline std::vector<float> image(int width, int height) {
    std::vector<float> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<float>(i * 37 % 251) / 251.0f;
    return pixels;
}

inline std::vector<float> gaussian_5x5() {
    const float row[5] = {1, 4, 6, 4, 1};
    std::vector<float> mask;
    for (const float a : row)
        for (const float b : row)
            mask.push_back(a * b / 256.0f);
    return mask;
}

inline std::vector<int> numbers(std::size_t count) {
    std::vector<int> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<int>(i * 7 % 10);
    return values;
}

// Computes in double precision with a tolerance, because a kernel may or may not round after each product.
inline bool is_convolved(const std::vector<float>& in, const std::vector<float>& mask,
                         const std::vector<float>& out, int width, int height) {
    auto at = [&](const std::vector<float>& pixels, int x, int y) {
        x = std::clamp(x, 0, width - 1);
        y = std::clamp(y, 0, height - 1);
        return double{pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                             static_cast<std::size_t>(x)]};
    };
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            double sum = 0;
            for (int tap = 0; tap < 25; ++tap)
                sum += double{mask[static_cast<std::size_t>(tap)]} * at(in, x + tap % 5 - 2, y + tap / 5 - 2);
            if (!(std::abs(sum - at(out, x, y)) < 1e-5)) return false;
        }
    return true;
}

inline bool is_reduced(const std::vector<int>& in, const std::vector<int>& out, std::size_t block) {
    for (std::size_t b = 0; b < out.size(); ++b) {
        int sum = 0;
        for (std::size_t i = b * block; i < std::min(in.size(), (b + 1) * block); ++i)
            sum += in[i];
        if (out[b] != sum) return false;
    }
    return true;
}

}  // namespace lanescope::bench
