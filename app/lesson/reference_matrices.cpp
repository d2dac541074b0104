// Host references over rows and columns.
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

template <class Value>
ReferenceFault matmul(const Arguments& a, Sink& out) {
    const Source &left = a.sources[0], &right = a.sources[1];
    const auto &rows = left.buffer->extents, &columns = right.buffer->extents;
    if (rows.size() != 2 || columns.size() != 2 || a.extents.size() != 2)
        return "needs buffers with a 'shape'";
    const Extents size{rows[0], columns[1]};
    if (rows[1] != columns[0])
        return "cannot multiply " + text_of({rows[0], rows[1]}) + " by " + text_of({columns[0], columns[1]});
    if (a.extents[0] != size[0] || a.extents[1] != size[1])
        return "gives " + text_of(size) + " elements, but the buffer has " +
               text_of({a.extents[0], a.extents[1]});
    for (std::uint64_t i = 0; i < size[0] * size[1]; ++i) {
        Sum<Value> sum;
        for (std::uint64_t k = 0; k < rows[1]; ++k)
            sum.add(left.at<Value>(i / size[1] * rows[1] + k) *
                    right.at<Value>(k * columns[1] + i % size[1]));
        sum.store(out, i);
    }
    return {};
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
    return matmul<std::uint64_t>(a, out);
}
ReferenceFault matmul_reals(const Arguments& a, Sink& out) {
    return matmul<double>(a, out);
}
ReferenceFault transpose_integers(const Arguments& a, Sink& out) {
    return transpose<std::uint64_t>(a, out);
}
ReferenceFault transpose_reals(const Arguments& a, Sink& out) {
    return transpose<double>(a, out);
}

}  // namespace lanescope::lesson
