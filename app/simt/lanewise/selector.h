// Chooses the executors that are compiled for the host's instruction set.
#pragma once

#include "ptx/module.h"
#include "simt/program/program.h"

namespace lanescope::simt {

struct Selector {
    const char* name;  // of the instruction set
    // Arithmetic, moves and conversions; null when the form is not supported.
    Exec (*arithmetic)(const ptx::Instruction& instruction);
    // `wide`: the register that is loaded or stored has 8-byte lanes.
    // `uniform`: all lanes load from one address that is known before the launch.
    Exec (*load)(const ptx::Instruction& instruction, bool wide, bool uniform, bool traced);
    Exec (*store)(const ptx::Instruction& instruction, bool wide, bool traced);
    Exec (*slot_load)(const ptx::Instruction& instruction, bool wide);
    Exec (*slot_store)(const ptx::Instruction& instruction, bool wide);
};
const Selector& selector();                    // the best for this processor, or the one chosen below
const Selector& baseline_selector();           // for every processor
void choose_selector(const Selector* chosen);  // for tests and measurements; null: the best one

}  // namespace lanescope::simt
