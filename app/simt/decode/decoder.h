// Decodes one function: registers and parameters to rows of its frame, operands to refs, instructions to
// executors.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/cfg.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"
#include "simt/program/layout.h"
#include "simt/program/program.h"

namespace lanescope::simt {

// Broadcast rows of immediates, each value once.
class ConstantPool {
  public:
    ConstantPool();  // holds the all-ones mask as row 0: the guard of unguarded instructions
    Ref narrow(std::uint32_t value);
    Ref wide(std::uint64_t value);
    Ref mask(Mask value);
    std::vector<std::uint64_t> take() { return std::move(rows_); }

  private:
    Ref add(std::uint64_t value, bool is_wide);
    std::vector<std::uint64_t> rows_;
    std::unordered_map<std::uint64_t, Ref> narrow_, wide_;
};
constexpr Ref all_ones_ref = make_ref(Base::constants, 0);

// An instruction that cannot be executed, and the reason.
struct DecodeProblem {
    std::uint32_t instruction = 0;  // in the function
    std::string message;
};

struct FunctionCode {
    std::vector<Decoded> plain, traced;
    std::vector<CodePlace> places;     // per instruction; loops are numbered from 0
    std::vector<std::uint32_t> loops;  // as Program::loops
    std::vector<DecodeProblem> problems;
    std::vector<std::uint32_t> callees;  // functions called or named
    std::vector<std::uint32_t> shared;   // shared symbols used
    bool calls_indirectly = false;
    bool reads_workspace = false;  // of the grid: %envreg1, %envreg2
    std::uint64_t frame_bytes = 0, local_bytes = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> zeroed;
    std::vector<Slot> parameters, results;
    std::vector<DecodedFunction::ParameterCopy> copied;
    std::vector<std::uint64_t>
        local_offsets;           // of ptx::Function::variables in the frame's local memory; ~0: elsewhere
    std::vector<Ref> registers;  // rows of ptx::Function::registers
    std::vector<std::uint32_t> entry_offsets;  // of a kernel's parameters
    std::uint32_t entry_bytes = 0;
};

struct DecodeContext {
    const ptx::Module& module;
    const ptx::DebugInfo& debug;
    const ModuleLayout& layout;
    Program& program;  // gets call sites, branch tables, shared symbols
    ConstantPool& pool;
};

// `first_pc`: where the function's code begins. A function that can run off its end gets a ret appended.
FunctionCode decode_function(const DecodeContext& context, const ptx::Function& function,
                             const ptx::StepTable& steps, std::uint32_t first_pc);

}  // namespace lanescope::simt
