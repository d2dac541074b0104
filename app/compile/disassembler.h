// NVIDIA's disassembler, nvdisasm: a program of the CUDA Toolkit, and of the wheel nvidia-cuda-nvdisasm.
#pragma once

#include <string>

#include "base/result.h"

namespace lanescope::compile {

struct Disassembly {
    std::string lines;  // "nvdisasm -c -g": each instruction behind the line that it belongs to
    std::string live;   // "nvdisasm -c -lrm count": each with how many registers are live
};

// `cubin`: machine code. Looks for the program where $LANESCOPE_NVDISASM says, else beside NVRTC, in other
// toolkits, and in $PATH. Errors: it is missing, with words that say where to get it; its messages.
Result<Disassembly> disassemble(const std::string& cubin);

}  // namespace lanescope::compile
