// Chooses the function that executes an instruction. Each family has its own file and returns null for
// instructions of other families and for unsupported forms.
#pragma once

#include "ptx/module.h"
#include "simt/math/isa.h"
#include "simt/program/program.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

Exec select_integer(const ptx::Instruction& instruction);
Exec select_bits(const ptx::Instruction& instruction);
Exec select_float(const ptx::Instruction& instruction);
Exec select_half(const ptx::Instruction& instruction);
Exec select_compare(const ptx::Instruction& instruction);
Exec select_move(const ptx::Instruction& instruction);
Exec select_packed(const ptx::Instruction& instruction);  // 8-bit floats and cvt.pack
Exec select_convert(const ptx::Instruction& instruction);
// `wide`: the register that is loaded or stored has 8-byte lanes.
// `uniform`: all lanes load from one address that is known before the launch.
Exec select_load(const ptx::Instruction& instruction, bool wide, bool uniform, bool traced);
Exec select_store(const ptx::Instruction& instruction, bool wide, bool traced);
Exec select_slot_load(const ptx::Instruction& instruction, bool wide);
Exec select_slot_store(const ptx::Instruction& instruction, bool wide);

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
