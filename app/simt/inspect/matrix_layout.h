// Which element of a matrix a lane holds in which register (PTX ISA 9.7.14).
//
// mma.* documents its fragments: with E elements to a 32-bit register, lanes 4g … 4g+3 hold row g of A, row g
// of the transposed B and row g of C, E elements (of C two) side by side; registers go on with the rows 8
// further down, then with the columns 4E further right. wmma.* leaves the layout open; here it is that of
// mma.*, tile after tile of 16 rows of A and 8 columns of B, 8 x 32 as the transposed product of 32 x 8, and
// registers that are left over repeat the first ones. The recordings in tests/parity show the same
// accumulators on an H200.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::simt {

struct MatrixShape {
    unsigned m = 0, n = 0, k = 0;
};
MatrixShape shape_of(const ptx::Instruction& instruction);  // zeros when it names none

struct MatrixPlace {
    unsigned row = 0, column = 0;
};

enum class MatrixRole : std::uint8_t { a, b, c };

struct FragmentLayout {
    MatrixShape shape;
    MatrixRole role = MatrixRole::a;
    unsigned element_bits = 0;

    unsigned per_register() const { return element_bits >= 32 ? 1 : 32 / element_bits; }
    unsigned registers() const;  // that hold different elements; 0: there is no such fragment
    unsigned rows() const { return role == MatrixRole::b ? shape.k : shape.m; }
    unsigned columns() const { return role == MatrixRole::a ? shape.k : shape.n; }
    MatrixPlace place(unsigned lane, unsigned reg, unsigned element) const;
    // Whether the elements of a register are neighbours of one row; else they are of one column.
    bool along_rows() const { return role == MatrixRole::a || (role == MatrixRole::c && !turned()); }

  private:
    bool turned() const;
    FragmentLayout transposed() const;
    unsigned tile_registers() const;  // of a tile of 16 rows or 8 columns
};

unsigned element_bits(ptx::Type type);  // 0: no element of matrices

// An instruction on matrices; refs are rows of registers.
struct MatrixForm {
    MatrixShape shape;
    ptx::Type a{}, b{}, c{}, d{};
    std::vector<std::uint32_t> a_refs, b_refs, c_refs, d_refs;
    enum class Sum : std::uint8_t { products, xor_popc, and_popc } sum = Sum::products;
    bool saturates = false;
    // wmma.load and wmma.store: a or c is what is loaded, d what is stored
    MatrixRole role = MatrixRole::a;
    bool row_major = true;
    std::uint32_t stride = ~0u;  // row of the leading dimension; ~0: the matrix is packed
};

}  // namespace lanescope::simt
