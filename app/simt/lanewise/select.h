// Choose the function that executes an instruction lane by lane. They return null for unsupported forms.
#pragma once

#include "ptx/module.h"
#include "simt/math/isa.h"
#include "simt/program/program.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

// The column `executor` of opcodes.def.
#define LANESCOPE_OP(...)
#define LANESCOPE_LANE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) \
    Exec select_##executor(const ptx::Instruction& instruction);
#include "ptx/opcodes.def"

// Executors for one kind of types; null for the others.
Exec integer_sum(const ptx::Instruction& instruction);
Exec integer_product(const ptx::Instruction& instruction);
Exec integer_mad(const ptx::Instruction& instruction);
Exec integer_quotient(const ptx::Instruction& instruction);
Exec integer_extreme(const ptx::Instruction& instruction);
Exec integer_negation(const ptx::Instruction& instruction);
Exec integer_magnitude(const ptx::Instruction& instruction);
Exec half_sum(const ptx::Instruction& instruction);
Exec half_product(const ptx::Instruction& instruction);
Exec half_fma(const ptx::Instruction& instruction);
Exec half_extreme(const ptx::Instruction& instruction);
Exec half_negation(const ptx::Instruction& instruction);
Exec half_magnitude(const ptx::Instruction& instruction);
Exec half_exponential(const ptx::Instruction& instruction);
Exec half_tanh(const ptx::Instruction& instruction);
Exec small_pair_conversion(const ptx::Instruction& instruction);  // of two 8-bit floats

// `wide`: the register that is loaded or stored has 8-byte lanes.
// `uniform`: all lanes load from one address that is known before the launch.
Exec select_load(const ptx::Instruction& instruction, bool wide, bool uniform, bool traced);
Exec select_store(const ptx::Instruction& instruction, bool wide, bool traced);
Exec select_slot_load(const ptx::Instruction& instruction, bool wide);
Exec select_slot_store(const ptx::Instruction& instruction, bool wide);

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
