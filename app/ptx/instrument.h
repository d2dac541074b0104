// Adds code to a PTX module that writes the records of trace/record.h while a GPU runs the module.
//
// Every inserted piece is a call of a small branch-free function, so that it adds no divergence and little
// code; inlined code would add three to six times as much machine code. Every thread has its own cursor, so
// that threads share nothing and nothing is serialised. Debug sections and the debug target are dropped, so
// that the machine code may be optimised while the records keep the values of the debug code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// An operand whose value is recorded, widened to 8 bytes; of an address, the generic address.
struct RecordedOperand {
    Operand operand;
    Type type{};                // of an immediate
    Space space{};              // of an address
    unsigned access_bytes = 0;  // of an address: what is accessed there; 0: it is not checked
    // The operand with the number of bytes at an address, which may be 0; a predicate: it is not checked.
    std::optional<Operand> access_size{};
    unsigned accessing_lanes = 32;  // of an address: the first lanes alone use it
};

// Selects what is recorded around one instruction.
struct InstructionProbe {
    bool point = false;                     // before it: execution reached this instruction
    bool access = false;                    // its memory access
    bool source_lane = false;               // the source lane of a shfl
    std::vector<RecordedOperand> operands;  // before it, as access and data records
    bool result = false;                    // after it: its first operand, as an access record
    bool counts_threads = false;            // its operands 1 to 6 are a child grid's extents
    bool new_grid = false;  // after it: its first operand is where the arguments of a child grid go
    std::vector<std::pair<std::uint32_t, std::uint32_t>> values;  // after it: registers, numbers
};

struct SymbolProbe {
    std::string symbol;
    Space space{};             // shared, const, global, or generic for a kernel
    std::uint32_t number = 0;  // number to record
    bool of_cluster = false;   // the address by which a cluster's blocks know the first block's variable
};

struct FunctionProbe {
    std::uint32_t first_pc = 0;                  // number of its first instruction in the records
    std::vector<InstructionProbe> instructions;  // like Function::instructions; empty: no probes
    std::vector<SymbolProbe> symbols;            // of a kernel; the first thread records their addresses
    // For a kernel whose grid can synchronise: the first thread records the barrier's address from %envreg1
    // and %envreg2.
    bool workspace = false;
    std::uint32_t workspace_number = 0;
    // Variables in local memory whose addresses every thread records on entry: index into
    // Function::variables, number to record.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> locals;
};

// Kernels that launch kernels: every kernel gets one more parameter, the number of the slot of its grid's
// first thread, at the same offset. The launching thread takes as many slots as the child has threads from
// the module-scope variable GridSlots::symbol, 8 bytes in global memory.
struct GridSlots {
    static constexpr const char* symbol = "lanescope_slots";
    std::uint32_t offset_bytes = 0;              // of the parameter
    std::vector<std::uint32_t> parameter_bytes;  // of each function's own parameters
};

// Whether code stops the launch before an access or a call that the GPU would stop; see Verdict.
enum class Checks : std::uint8_t { nothing, accesses };

// The host controls the instrumentation with this module-scope variable in constant memory: 8-byte fields,
// those from `verdict` on with Checks::accesses only.
struct ProbeState {
    static constexpr const char* symbol = "lanescope_state";
    std::uint64_t cursors = 0;  // per slot: 8 bytes, address of the thread's next record
    std::uint64_t slots = 0;    // per block: 4 bytes, index among recorded blocks or ~0; 0: all recorded
    std::uint64_t stride = 0;   // bytes between a thread's records
    std::uint64_t end = 0;      // of the buffer; later records are counted but not written
    std::uint64_t limit = 0;    // with GridSlots: threads of this slot and later ones are not recorded
    std::uint64_t verdict = 0;  // of a Verdict, zeroed; 0: accesses are not checked
    // Memory that kernels may use: pairs of 8-byte addresses, where each begins and ends. Without ranges only
    // null pointers are outside.
    std::uint64_t ranges = 0, range_count = 0;
};

// Why a launch was stopped before an access or a call that the GPU would have stopped.
struct Verdict {
    enum class Why : std::uint32_t { none, outside, outside_shared, misaligned, not_a_function };

    std::uint32_t head = 0;  // bits 0-27: the pc, as in the records
    Why why = Why::none;
    std::uint64_t address = 0;  // generic
    std::uint64_t cursor = 0;   // of the thread: the address of its field among ProbeState::cursors
};

// `probes` corresponds to Module::functions. `grids`: null if no kernel launches kernels.
std::string instrument(const Module& module, const std::vector<FunctionProbe>& probes,
                       const GridSlots* grids = nullptr, Checks checks = Checks::nothing);

}  // namespace lanescope::ptx
