// The parts of the host references: sources, numbers and the sink for the expected elements.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/instance.h"
#include "lesson/references.h"

namespace lanescope::lesson {

// The contents of a buffer: the initial ones or, without these, those after the last launch.
struct Source {
    const BufferInstance* buffer = nullptr;
    ElementType type;
    std::span<const std::byte> contents;

    std::uint64_t size() const { return buffer->count * type.components; }
    template <class Value>
    Value at(std::uint64_t i) const {
        if constexpr (std::is_same_v<Value, double>)
            return load_real(contents, type, i);
        else
            return load_integer(contents, type, i);
    }
};

struct Arguments {
    std::vector<Source> sources;
    std::vector<std::int64_t> numbers;
    std::vector<ElementCondition> conditions;
    std::vector<std::uint64_t> extents;  // of the target buffer
};

class Sink {
  public:
    Sink(std::uint64_t size, bool floating) : size_(size) {
        if (floating) {
            expected_.reals.assign(size, 0);
            expected_.magnitudes.assign(size, 0);
        } else {
            expected_.integers.assign(size, 0);
        }
    }
    std::uint64_t size() const { return size_; }
    void put(std::uint64_t i, std::uint64_t value) { expected_.integers[i] = value; }
    void put(std::uint64_t i, double value) { put(i, value, std::abs(value)); }
    void put(std::uint64_t i, double value, double magnitude) {
        expected_.reals[i] = value;
        expected_.magnitudes[i] = magnitude;
    }
    // Elements from `count` on may have any value.
    void compare_only(std::uint64_t count) { expected_.compared = count; }
    Expected take() { return std::move(expected_); }

  private:
    std::uint64_t size_;
    Expected expected_;
};

// A running sum. The sum of reals is compensated (Neumaier), so that the reference's own rounding is far
// below any tolerance.
template <class Value>
class Sum;

template <>
class Sum<std::uint64_t> {
  public:
    void add(std::uint64_t value) { total_ += value; }
    void store(Sink& out, std::uint64_t i) const { out.put(i, total_); }

  private:
    std::uint64_t total_ = 0;
};

template <>
class Sum<double> {
  public:
    void add(double value) {
        const double next = total_ + value;
        if (std::isfinite(next))
            lost_ += std::abs(total_) >= std::abs(value) ? (total_ - next) + value : (value - next) + total_;
        total_ = next;
        magnitude_ += std::abs(value);
    }
    void store(Sink& out, std::uint64_t i) const { out.put(i, total_ + lost_, magnitude_); }

  private:
    double total_ = 0, lost_ = 0, magnitude_ = 0;
};

using ReferenceFault = std::string;  // empty if there is none

inline ReferenceFault wrong_size(const Sink& out, std::uint64_t wanted) {
    if (out.size() == wanted) return {};
    return "gives " + std::to_string(wanted) + (wanted == 1 ? " element" : " elements") +
           ", but the buffer has " + std::to_string(out.size());
}

// Whether one element of the type comes before another. Integers are extended to 64 bits, so the signedness
// of their type decides how they compare.
inline bool less(const ElementType& type, std::uint64_t a, std::uint64_t b) {
    if (type.kind == ElementType::Kind::unsigned_int) return a < b;
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
}
inline bool less(const ElementType&, double a, double b) {
    return a < b;
}

// References that choose or move elements; in reference_moves.cpp.
ReferenceFault compact(const Arguments& a, Sink& out);
ReferenceFault count_if(const Arguments& a, Sink& out);
ReferenceFault gather_integers(const Arguments& a, Sink& out);
ReferenceFault gather_reals(const Arguments& a, Sink& out);
ReferenceFault merge_integers(const Arguments& a, Sink& out);
ReferenceFault merge_reals(const Arguments& a, Sink& out);
ReferenceFault sort_integers(const Arguments& a, Sink& out);
ReferenceFault sort_reals(const Arguments& a, Sink& out);

// References over affine maps, which are pairs of integers; in reference_maps.cpp.
ReferenceFault block_compose(const Arguments& a, Sink& out);
ReferenceFault compose(const Arguments& a, Sink& out);

// References over matrices; in reference_matrices.cpp.
// What a mask finds beyond the border; mirrored at the last element, which is not repeated.
enum class Beyond : std::uint8_t { zeros, clamp, mirror, wrap };
template <Beyond beyond>
ReferenceFault convolve_integers(const Arguments& a, Sink& out);
template <Beyond beyond>
ReferenceFault convolve_reals(const Arguments& a, Sink& out);
ReferenceFault convolve_channels_integers(const Arguments& a, Sink& out);
ReferenceFault convolve_channels_reals(const Arguments& a, Sink& out);
ReferenceFault heat(const Arguments& a, Sink& out);
ReferenceFault matmul_integers(const Arguments& a, Sink& out);
ReferenceFault matmul_reals(const Arguments& a, Sink& out);
ReferenceFault transpose_integers(const Arguments& a, Sink& out);
ReferenceFault transpose_reals(const Arguments& a, Sink& out);
using Extents = std::array<std::uint64_t, 2>;
std::string text_of(const Extents& extents);  // "3 × 4"
// Returns the extents of a matrix. A buffer without `shape` is one row.
Extents as_matrix(const Source& source);

// References over the rows of a matrix, in real numbers; in reference_rows.cpp.
ReferenceFault softmax(const Arguments& a, Sink& out);
ReferenceFault layer_norm(const Arguments& a, Sink& out);
template <bool causal>
ReferenceFault attention(const Arguments& a, Sink& out);

// References over sparse matrices and graphs in compressed rows (CSR); in reference_sparse.cpp.
ReferenceFault levels_integers(const Arguments& a, Sink& out);
ReferenceFault levels_reals(const Arguments& a, Sink& out);
ReferenceFault spmv_integers(const Arguments& a, Sink& out);
ReferenceFault spmv_reals(const Arguments& a, Sink& out);

}  // namespace lanescope::lesson
