// What the assembler makes of each PTX instruction: the unit that executes it, how many instructions it
// becomes, and which of them vanish.
//
// Inaccuracies: only the assembler's unrolling of simple loops, and not its choice of registers, is known. An
// instruction vanishes by the rules of machine_code.cpp, which follow what ptxas 13.0 writes for sm_90.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/code.h"

namespace lanescope::analysis {

enum class Unit : std::uint8_t {
    none,        // vanishes: a copy, an operand of another instruction, a short branch
    constant,    // vanishes, but its value comes from the constant bank
    alu,         // integers, logic, comparisons: 16 lanes a cycle
    add,         // 32-bit additions, which the assembler spreads over `alu` and `wide`
    fma,         // floating point
    wide,        // integer products, on one half of the floating-point unit
    float64,     // double precision
    convert,     // between types
    function,    // reciprocals, roots, exponentials, counts of bits
    special,     // reads a special register
    divide,      // a sequence of instructions for floating point
    int_divide,  // the same for integers
    matrix,
    memory,   // loads, stores and atomics
    shuffle,  // between lanes, through the paths of shared memory
    vote,     // between lanes, through the ALU
    warp_sync,
    barrier,  // of the block
    arrive,   // at a barrier, without waiting
    fence,
    copy_wait,  // waits for asynchronous copies
    branch,
    other
};

struct MachineOp {
    Unit unit = Unit::other;
    std::uint8_t slots = 1;     // instructions that it becomes
    std::uint8_t joined = 1;    // loads of neighbouring words that it stands for
    bool unused = false;        // an atomic whose result is not read: nothing waits for it
    bool aggregated = false;    // an atomic that the assembler does once for the lanes of a warp
    bool counts_lanes = false;  // an atomic that adds 1
    bool swap = false;          // an atomic with a second operand
    bool uncached = false;      // passes the L1 by
    bool texture = false;       // a fetch
    bool asynchronous = false;  // a copy that goes on beside the warp
    std::uint32_t reads = 0, writes = 0, end = 0;  // in MachineCode's list of registers
};

// Why no time can be estimated for a launch that runs the instructions [first, end).
struct Refusal {
    std::string reason;  // a sentence; empty: none
    std::uint32_t line = 0;
    std::uint32_t first = 0, end = 0;
};

class MachineCode {
  public:
    explicit MachineCode(const Code& code);

    std::uint32_t size() const { return static_cast<std::uint32_t>(ops_.size()); }
    const MachineOp& at(std::uint32_t pc) const { return ops_[pc]; }
    // Registers of all functions have different numbers, below register_count().
    std::span<const std::uint32_t> reads(const MachineOp& op) const {
        return {registers_.data() + op.reads, op.writes - op.reads};
    }
    std::span<const std::uint32_t> writes(const MachineOp& op) const {
        return {registers_.data() + op.writes, op.end - op.writes};
    }
    std::uint32_t register_count() const { return register_count_; }

    // The region of an instruction: a basic block, or several that become one because predicates take the
    // place of the branches between them.
    std::uint32_t region_of(std::uint32_t pc) const { return region_of_[pc]; }
    // Where the assembler puts the instruction in its region: instructions issue in this order.
    std::uint32_t place_of(std::uint32_t pc) const { return place_of_[pc]; }

    // The assembler makes one region of four iterations of a short loop that counts. Its instructions then
    // are others: `copy` is 0 … 3.
    static constexpr std::uint32_t copies = 4;
    bool is_unrolled(std::uint32_t pc) const { return copy_of_[pc] != 0; }
    std::uint32_t copy_of(std::uint32_t pc, std::uint32_t copy) const {
        return copy_of_[pc] + copy * copy_length_.at(region_of_[pc]);
    }
    // The instruction of the PTX; itself unless it is a copy.
    std::uint32_t origin_of(std::uint32_t pc) const {
        return pc < first_copy_ ? pc : origin_of_[pc - first_copy_];
    }
    std::uint32_t first_copy() const { return first_copy_; }

    // Spinning, device-side launches and printf.
    std::span<const Refusal> refusals() const { return refusals_; }

  private:
    friend class Lowering;
    std::vector<MachineOp> ops_;
    std::vector<std::uint32_t> registers_;
    std::uint32_t register_count_ = 0;
    std::vector<std::uint32_t> region_of_, place_of_;
    std::uint32_t first_copy_ = 0;
    std::vector<std::uint32_t> copy_of_, origin_of_;      // the first copy of each instruction, or 0
    std::map<std::uint32_t, std::uint32_t> copy_length_;  // of one iteration, by region
    std::vector<Refusal> refusals_;
};

}  // namespace lanescope::analysis
