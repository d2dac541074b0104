// Describes a function's code and variables for traces, and marks what a traced run must watch.
#pragma once

#include "ptx/debug_info.h"
#include "simt/decode/decoder.h"
#include "simt/program/program.h"

namespace lanescope::simt {

// Fills Program::description.functions[index].variables and the watch lists of a decoded function, and sets
// the flags of its traced instructions. Shared variables' offsets come from the kernels' layouts, which must
// be known.
void describe_variables(const ptx::Module& module, const ptx::DebugInfo& debug, std::uint32_t index,
                        const FunctionCode& code, Program& program);

}  // namespace lanescope::simt
