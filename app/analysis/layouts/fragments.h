// Fragments: which lane holds which element of a matrix in which register.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "analysis/layouts/naming.h"
#include "trace/replay.h"

namespace lanescope::analysis {

struct FragmentCell {
    std::uint32_t row = 0, column = 0;
    std::uint8_t lane = 0;
    std::uint16_t reg = 0;     // of the operand, from 0
    std::uint8_t element = 0;  // of the register, from its low bits
};

// One operand of a matrix instruction.
struct Fragment {
    std::string operand;  // "A", "C and D"
    std::string type;     // "f16"
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t registers = 0, per_register = 1;
    std::vector<FragmentCell> cells;  // by lane, register, element: each element of the matrix once
    // From (lane, register and element) to row + rows × column, as CuTe writes the layouts of its MMA atoms;
    // of B, whose columns are CuTe's rows, to column + columns × row.
    LayoutName name;
};

struct Fragments {
    std::uint32_t pc = 0, line = 0;
    std::string instruction;  // "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    // mma, wmma; matrices of ldmatrix and stmatrix, whose rows come from the addresses of 8 lanes
    bool multiplies = false, rows_by_lane = false, transposed = false;
    std::vector<Fragment> operands;
};

// Empty operands: the instruction has no fragments, or none that the machine knows.
Fragments fragments_of(const Code& code, std::uint32_t pc);

// The elements that a load or a store of vectors gives to each lane: from (lane, register) to element, side
// by side in rows of 32, where lanes access neighbours. Empty operands: no vectors, or other places.
Fragments vector_fragment(const Code& code, const trace::Access& access);

// Every instruction with fragments among these, each once.
std::vector<Fragments> fragments_of(const Code& code, const std::vector<std::uint32_t>& pcs);

}  // namespace lanescope::analysis
