// The name of a layout: from the places that elements were seen at to a formula that reproduces every place.
//
// A layout is a function from (row, column) to an offset. Names follow CuTe (NVIDIA CUTLASS, "CuTe layouts"):
// a shape and a stride for each mode, nested where a mode has several, the first of them fastest;
// Swizzle<B,M,S> XORs the B bits of an offset that begin at bit M + S into those that begin at bit M.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::analysis {

struct PlacedElement {
    std::uint32_t row = 0, column = 0;
    std::int64_t offset = 0;  // in elements
};

// One coordinate: the sizes of its digits, the fastest first, and the stride of each.
struct LayoutMode {
    std::vector<std::uint32_t> shape;
    std::vector<std::int64_t> stride;
    bool plain() const { return shape.size() <= 1; }
};

struct Swizzle {
    int bits = 0, base = 0, shift = 0;  // CuTe's B, M, S; 0 bits: none
    std::int64_t operator()(std::int64_t offset) const;
};

struct LayoutName {
    enum class Kind : std::uint8_t {
        linear,     // offset = base + rows(row) + columns(column)
        swizzled,   // the same, with a swizzle on top
        bits,       // linear in the bits of row and column, over XOR
        scattered,  // nothing that describes every element
    };
    Kind kind = Kind::scattered;
    LayoutMode rows, columns;
    std::int64_t base = 0;  // offset of element (0, 0) before the swizzle
    Swizzle swizzle;
    std::vector<std::int64_t> row_bits, column_bits;  // of `bits`: what each bit adds by XOR
    std::uint64_t elements = 0, follows = 0;          // seen; those of them that the formula reproduces
    std::string text;                                 // "row-major, stride 33 (32 + 1 padding)"
    std::string shape, stride;  // "((2,4),8)", "((1,16),2)"; empty: scattered, or linear in bits only

    bool exact() const { return kind != Kind::scattered; }
};

// `extent`: rows and columns that coordinates stay below. The elements may be any of them; each at most once.
// A name is exact for all of them, or says how many follow it.
LayoutName name_layout(std::span<const PlacedElement> elements, std::uint32_t rows, std::uint32_t columns);

// Shape and strides of values by index, values[0] = 0; null if mixed digits do not describe them.
std::optional<LayoutMode> fit_mode(const std::vector<std::int64_t>& values);

std::string mode_text(const std::vector<std::uint32_t>& shape);  // "8", "(2,4)"
std::string mode_text(const std::vector<std::int64_t>& stride);

}  // namespace lanescope::analysis
