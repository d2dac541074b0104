// Host references over rows and columns.
#include <array>
#include <vector>

#include "lesson/parallel.h"
#include "lesson/reference_parts.h"

namespace lanescope::lesson {

namespace {

using Extents = std::array<std::uint64_t, 2>;

std::string text_of(const Extents& extents) {
    return std::to_string(extents[0]) + " × " + std::to_string(extents[1]);
}

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

// Returns the extents of a matrix. A buffer without `shape` is one row.
Extents as_matrix(const Source& source) {
    const auto& extents = source.buffer->extents;
    return extents.size() == 2 ? Extents{extents[0], extents[1]} : Extents{1, source.size()};
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

}  // namespace

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
