// The functions that choose executors, by opcode.
#pragma once

#include "ptx/module.h"
#include "simt/program/program.h"

namespace lanescope::simt {

// The column `executor` of opcodes.def. `traced` chooses the function that also records what happens. They
// return null when the form is not supported.
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) \
    Exec select_##executor(const ptx::Instruction& instruction, bool traced);
#define LANESCOPE_LANE_OP(...)
#include "ptx/opcodes.def"
Exec select_executor(const ptx::Instruction& instruction, bool traced);  // of any opcode

std::uint8_t arrival_mode_of(const ptx::Instruction& instruction);  // Decoded::mode of mbarrier.arrive
std::uint8_t barrier_mode_of(const ptx::Instruction& instruction);  // Decoded::mode of barriers
Exec move_b128_exec();
Exec halves_exec(bool traced);
Exec select_wide_atomic(const ptx::Instruction& instruction);    // exch and cas of 128 bits
Exec select_vector_atomic(const ptx::Instruction& instruction);  // see exec_atomic_vector.cpp
Exec select_builtin(Builtin builtin, bool traced);
Exec select_device_runtime(Builtin builtin);
std::uint8_t stored_bytes(Builtin builtin);  // that it writes through its first argument, 0: none
Exec wide_conversion_exec();                 // see exec_adapted.cpp
Exec unsupported_exec();                     // reports an `unsupported` problem and ends the lanes

}  // namespace lanescope::simt
