// Host references over rows and columns.
#include <array>
#include <vector>

#include "lesson/parallel.h"
#include "lesson/reference_parts.h"

namespace lanescope::lesson {

std::string text_of(const Extents& extents) {
    return std::to_string(extents[0]) + " × " + std::to_string(extents[1]);
}

Extents as_matrix(const Source& source) {
    const auto& extents = source.buffer->extents;
    return extents.size() == 2 ? Extents{extents[0], extents[1]} : Extents{1, source.size()};
}

namespace {

template <class Value>
ReferenceFault transpose(const Arguments& a, Sink& out) {
    const auto& from = a.sources[0].buffer->extents;
    if (from.size() != 2 || a.extents.size() != 2) return "needs buffers with a 'shape'";
    if (from[0] != a.extents[1] || from[1] != a.extents[0])
        return "gives " + std::to_string(from[1]) + " × " + std::to_string(from[0]) +
               " elements, but the buffer has " + std::to_string(a.extents[0]) + " × " +
               std::to_string(a.extents[1]);
    for_each_index(out.size(), [&](std::uint64_t i) {
        out.put(i, a.sources[0].at<Value>(i % from[0] * from[1] + i / from[0]));
    });
    return {};
}

// Returns why the buffers cannot be multiplied, or the product does not fit.
ReferenceFault unfit_product(const Arguments& a) {
    const auto &rows = a.sources[0].buffer->extents, &columns = a.sources[1].buffer->extents;
    if (rows.size() != 2 || columns.size() != 2 || a.extents.size() != 2)
        return "needs buffers with a 'shape'";
    const Extents size{rows[0], columns[1]};
    if (rows[1] != columns[0])
        return "cannot multiply " + text_of({rows[0], rows[1]}) + " by " + text_of({columns[0], columns[1]});
    if (a.extents[0] != size[0] || a.extents[1] != size[1])
        return "gives " + text_of(size) + " elements, but the buffer has " +
               text_of({a.extents[0], a.extents[1]});
    return {};
}

template <class Value>
void multiply_elements(const Arguments& a, Sink& out) {
    const Source &left = a.sources[0], &right = a.sources[1];
    const std::uint64_t inner = left.buffer->extents[1], columns = right.buffer->extents[1];
    for (std::uint64_t i = 0; i < out.size(); ++i) {
        Sum<Value> sum;
        for (std::uint64_t k = 0; k < inner; ++k)
            sum.add(left.at<Value>(i / columns * inner + k) * right.at<Value>(k * columns + i % columns));
        sum.store(out, i);
    }
}

using Pair [[gnu::vector_size(16)]] = double;

// The next 8 columns of the right matrix, row by row, as 4 pairs each.
using Strip = std::vector<std::array<Pair, 4>>;
using Sums = std::array<std::array<Pair, 4>, 2>;

// Returns the products of two rows and the columns of a strip. 16 sums fit into registers.
template <bool sizes>  // whether to add the sizes of the terms
Sums multiply_strip(const float* upper, const float* lower, const Strip& strip) {
    const auto term = [](Pair product) {
        if constexpr (sizes) return product < 0 ? -product : product;
        return product;
    };
    Sums sums{};
    for (const auto& pairs : strip) {
        const Pair above = {*upper, *upper}, below = {*lower, *lower};
        ++upper, ++lower;
#pragma GCC unroll 4
        for (std::size_t j = 0; j < 4; ++j) {
            sums[0][j] += term(above * pairs[j]);
            sums[1][j] += term(below * pairs[j]);
        }
    }
    return sums;
}

// Multiplies float and half elements, in seconds for 8192 × 8192 of them. Their products are exact in double,
// so that the sums need no compensation.
void multiply_floats(const Arguments& a, Sink& out) {
    const std::uint64_t inner = a.sources[0].buffer->extents[1], rows = a.extents[0], columns = a.extents[1];
    std::array<std::vector<float>, 2> elements;
    bool negative = false;
    for (std::size_t s = 0; s < 2; ++s) {
        elements[s].resize(a.sources[s].size() +
                           (s == 0 ? inner : 0));  // one more row, if their number is odd
        for_each_index(a.sources[s].size(), [&](std::uint64_t i) {
            elements[s][i] = static_cast<float>(a.sources[s].at<double>(i));
        });
        for (const float element : elements[s])
            negative = negative || !(element >= 0);
    }
    const auto multiply = [&](std::uint64_t first_strip, std::uint64_t last_strip) {
        Strip strip(inner);
        for (std::uint64_t column = 8 * first_strip; column < std::min(columns, 8 * last_strip);
             column += 8) {
            const std::uint64_t used = std::min<std::uint64_t>(8, columns - column);
            for (std::uint64_t k = 0; k < inner; ++k)
                for (std::uint64_t j = 0; j < used; ++j)
                    strip[k][j / 2][j % 2] = elements[1][k * columns + column + j];
            for (std::uint64_t row = 0; row < rows; row += 2) {
                const float *upper = elements[0].data() + row * inner, *lower = upper + inner;
                const Sums sums = multiply_strip<false>(upper, lower, strip);
                const Sums sizes = negative ? multiply_strip<true>(upper, lower, strip) : sums;
                for (std::uint64_t r = 0; r < std::min<std::uint64_t>(2, rows - row); ++r)
                    for (std::uint64_t j = 0; j < used; ++j)
                        out.put((row + r) * columns + column + j, sums[r][j / 2][j % 2],
                                sizes[r][j / 2][j % 2]);
            }
        }
    };
    const std::uint64_t products_of_a_strip = std::max<std::uint64_t>(1, rows * inner * 8);
    in_parts((columns + 7) / 8, multiply, std::max<std::uint64_t>(1, (1u << 20) / products_of_a_strip));
}

// Returns which of `count` elements stands at position `at`, which may lie outside; `count`: none, a zero.
std::uint64_t element_at(std::int64_t at, std::uint64_t count, Beyond beyond) {
    const auto size = static_cast<std::int64_t>(count);
    if (at >= 0 && at < size) return static_cast<std::uint64_t>(at);
    const auto modulo = [](std::int64_t value, std::int64_t by) { return (value % by + by) % by; };
    switch (beyond) {
        case Beyond::zeros:
            return count;
        case Beyond::clamp:
            return at < 0 ? 0 : count - 1;
        case Beyond::wrap:
            return static_cast<std::uint64_t>(modulo(at, size));
        case Beyond::mirror:
            break;
    }
    if (size == 1) return 0;
    const std::int64_t period = 2 * (size - 1), phase = modulo(at, period);
    return static_cast<std::uint64_t>(phase < size ? phase : period - phase);
}

// Returns the products of the mask and the elements under it, summed, with the mask's cell (size / 2) at
// (row, column).
template <class Value>
Sum<Value> under_mask(const Source& in, const Source& mask, std::uint64_t row, std::uint64_t column,
                      Beyond beyond) {
    const Extents size = as_matrix(in), extent = as_matrix(mask);
    const auto position = [](std::uint64_t centre, std::uint64_t cell, std::uint64_t cells) {
        return static_cast<std::int64_t>(centre + cell) - static_cast<std::int64_t>(cells / 2);
    };
    Sum<Value> sum;
    for (std::uint64_t r = 0; r < extent[0]; ++r)
        for (std::uint64_t c = 0; c < extent[1]; ++c) {
            const std::uint64_t y = element_at(position(row, r, extent[0]), size[0], beyond);
            const std::uint64_t x = element_at(position(column, c, extent[1]), size[1], beyond);
            if (y < size[0] && x < size[1])
                sum.add(mask.at<Value>(r * extent[1] + c) * in.at<Value>(y * size[1] + x));
        }
    return sum;
}

template <class Value>
ReferenceFault convolve(const Arguments& a, Sink& out, Beyond beyond) {
    const Source& in = a.sources[0];
    if (const ReferenceFault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    const Extents size = as_matrix(in);
    for_each_index(in.size(), [&](std::uint64_t i) {
        under_mask<Value>(in, a.sources[1], i / size[1], i % size[1], beyond).store(out, i);
    });
    return {};
}

// The sizes of a convolution of images with several channels, in NCHW order: images, channels, rows, columns.
struct ChannelSizes {
    std::uint64_t images, channels, rows, cols, filters, width;
};

template <class Value>
ReferenceFault convolve_channels(const Arguments& a, Sink& out) {
    const Source &in = a.sources[0], &weights = a.sources[1];
    if (a.numbers[0] < 1 || a.numbers[1] < 0) return "needs at least 1 channel of 0 or more rows";
    if (in.size() == 0) return wrong_size(out, 0);
    const Extents size = as_matrix(in), filters = as_matrix(weights);
    const auto channels = static_cast<std::uint64_t>(a.numbers[0]),
               rows = static_cast<std::uint64_t>(a.numbers[1]);
    const auto width = static_cast<std::uint64_t>(std::lround(std::sqrt(double(filters[1] / channels))));
    if (size[0] % channels || size[0] / channels % rows)
        return "cannot cut " + std::to_string(size[0]) + " rows into images of " + std::to_string(channels) +
               " channels of " + std::to_string(rows) + " rows";
    if (filters[1] != channels * width * width)
        return "needs filters of " + std::to_string(channels) + " squares, not " + text_of(filters);
    const ChannelSizes s{size[0] / channels / rows, channels, rows, size[1], filters[0], width};
    if (const ReferenceFault fault = wrong_size(out, s.images * s.filters * s.rows * s.cols); !fault.empty())
        return fault;
    for_each_index(out.size(), [&](std::uint64_t i) {
        const std::uint64_t x = i % s.cols, y = i / s.cols % s.rows, filter = i / s.cols / s.rows % s.filters,
                            image = i / s.cols / s.rows / s.filters, half = s.width / 2;
        Sum<Value> sum;
        for (std::uint64_t k = 0; k < filters[1]; ++k) {
            const std::uint64_t channel = k / s.width / s.width;
            // Wraps around above and to the left, and so is outside there, too.
            const std::uint64_t r = y + k / s.width % s.width - half, c = x + k % s.width - half;
            if (r < s.rows && c < s.cols)
                sum.add(weights.at<Value>(filter * filters[1] + k) *
                        in.at<Value>(((image * s.channels + channel) * s.rows + r) * s.cols + c));
        }
        sum.store(out, i);
    });
    return {};
}

}  // namespace

ReferenceFault convolve_channels_integers(const Arguments& a, Sink& out) {
    return convolve_channels<std::uint64_t>(a, out);
}
ReferenceFault convolve_channels_reals(const Arguments& a, Sink& out) {
    return convolve_channels<double>(a, out);
}

// Explicit steps of the heat equation. The border keeps its temperature.
ReferenceFault heat(const Arguments& a, Sink& out) {
    const Source& in = a.sources[0];
    const auto& extents = in.buffer->extents;
    const std::int64_t steps = a.numbers[0], wanted = a.numbers.size() > 1 ? a.numbers[1] : 1;
    if (!in.type.floating()) return "needs float, double or half";
    if (extents.size() != 2) return "needs a buffer with a 'shape'";
    if (const ReferenceFault fault = wrong_size(out, in.size()); !fault.empty()) return fault;
    if (steps < 0) return "needs at least 0 steps, got " + std::to_string(steps);
    if (wanted < 1 || extents[0] % static_cast<std::uint64_t>(wanted) != 0)
        return "cannot divide " + std::to_string(extents[0]) + " rows into " + std::to_string(wanted) +
               " planes";
    const auto planes = static_cast<std::uint64_t>(wanted);
    const bool solid = a.numbers.size() > 1;
    const std::uint64_t rows = extents[0] / planes, columns = extents[1], plane = rows * columns;
    const auto inside = [](std::uint64_t at, std::uint64_t count) { return at > 0 && at + 1 < count; };
    std::vector<double> now(in.size()), next(in.size());
    for_each_index(now.size(), [&](std::uint64_t i) { now[i] = in.at<double>(i); });
    for (std::int64_t step = 0; step < steps; ++step) {
        for_each_index(now.size(), [&](std::uint64_t i) {
            next[i] = now[i];
            if (!inside(i % columns, columns) || !inside(i / columns % rows, rows)) return;
            if (solid && !inside(i / plane, planes)) return;
            double sum = now[i - columns] + now[i - 1] + now[i + 1] + now[i + columns];
            if (solid) sum += now[i - plane] + now[i + plane];
            next[i] += (sum - (solid ? 6 : 4) * now[i]) / 8;
        });
        now.swap(next);
    }
    for (std::uint64_t i = 0; i < now.size(); ++i)
        out.put(i, now[i]);
    return {};
}

template <Beyond beyond>
ReferenceFault convolve_integers(const Arguments& a, Sink& out) {
    return convolve<std::uint64_t>(a, out, beyond);
}
template <Beyond beyond>
ReferenceFault convolve_reals(const Arguments& a, Sink& out) {
    return convolve<double>(a, out, beyond);
}
template ReferenceFault convolve_integers<Beyond::zeros>(const Arguments&, Sink&);
template ReferenceFault convolve_integers<Beyond::clamp>(const Arguments&, Sink&);
template ReferenceFault convolve_integers<Beyond::mirror>(const Arguments&, Sink&);
template ReferenceFault convolve_integers<Beyond::wrap>(const Arguments&, Sink&);
template ReferenceFault convolve_reals<Beyond::zeros>(const Arguments&, Sink&);
template ReferenceFault convolve_reals<Beyond::clamp>(const Arguments&, Sink&);
template ReferenceFault convolve_reals<Beyond::mirror>(const Arguments&, Sink&);
template ReferenceFault convolve_reals<Beyond::wrap>(const Arguments&, Sink&);

ReferenceFault matmul_integers(const Arguments& a, Sink& out) {
    if (ReferenceFault fault = unfit_product(a); !fault.empty()) return fault;
    multiply_elements<std::uint64_t>(a, out);
    return {};
}
ReferenceFault matmul_reals(const Arguments& a, Sink& out) {
    if (ReferenceFault fault = unfit_product(a); !fault.empty()) return fault;
    const auto fits_float = [](const Source& source) {
        return source.type.floating() && source.type.scalar_bytes <= 4;
    };
    if (fits_float(a.sources[0]) && fits_float(a.sources[1]))
        multiply_floats(a, out);
    else
        multiply_elements<double>(a, out);
    return {};
}
ReferenceFault transpose_integers(const Arguments& a, Sink& out) {
    return transpose<std::uint64_t>(a, out);
}
ReferenceFault transpose_reals(const Arguments& a, Sink& out) {
    return transpose<double>(a, out);
}

}  // namespace lanescope::lesson
