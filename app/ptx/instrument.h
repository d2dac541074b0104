// Adds to a module what writes the records of trace/record.h: PTX to PTX, for a GPU that runs the same code.
//
// Every inserted piece is a call of a small branch-free function, so that it adds no divergence and little
// code (called form; in-line code grows machine code three to six times as much). Every thread has its own
// cursor: nothing is shared, nothing is serialised. Debug sections and the debug target are dropped: the
// machine code may then be optimised, while the records keep the values that the debugger's view of the code
// has.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// What is recorded around one instruction.
struct InstructionProbe {
    bool point = false;        // before it: that execution came here
    bool access = false;       // its memory access
    bool source_lane = false;  // of a shfl
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        values;  // after it: registers, with the number to record
};

struct SymbolProbe {
    std::string symbol;
    Space space{};             // shared, const or global
    std::uint32_t number = 0;  // to record
};

struct FunctionProbe {
    std::uint32_t first_pc = 0;  // number of its first instruction in the records
    std::vector<InstructionProbe>
        instructions;                  // as Function::instructions; empty: the function is left alone
    std::vector<SymbolProbe> symbols;  // of a kernel: whose addresses the first thread records
    // Of a kernel whose grid can synchronise: the first thread records where %envreg1 and %envreg2 say that
    // its barrier is.
    bool workspace = false;
    std::uint32_t workspace_number = 0;
    // Variables of the function in local memory, whose addresses every thread records on entry: index into
    // Function::variables, number to record.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> locals;
};

// How the host reaches the instrumentation: a module-scope variable in constant memory of five 8-byte fields.
struct ProbeState {
    static constexpr const char* symbol = "lanescope_state";
    std::uint64_t cursors = 0;  // per slot: 8 bytes, where the thread's next record goes
    std::uint64_t slots =
        0;  // per block: 4 bytes, its number among the recorded ones, ~0 when it is not; 0: all blocks
    std::uint64_t stride = 0;  // bytes between a thread's records
    std::uint64_t end = 0;     // of the buffer: what would lie behind it is counted, not written
    std::uint64_t reserved = 0;
};

// `probes` as Module::functions.
std::string instrument(const Module& module, const std::vector<FunctionProbe>& probes);

}  // namespace lanescope::ptx
