// Facts about a program's kernels that callers need for a launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/module.h"

namespace lanescope::simt {

struct Program;  // the decoded module; program.h

struct KernelInfo {
    std::string symbol;  // mangled
    std::string name;    // demangled, without parameters: "reduce<int, Plus>"
    std::vector<ptx::Variable> parameters;
    std::uint32_t static_shared_bytes = 0;
    // Instructions that the kernel can reach and the machine does not support, each located in the PTX and,
    // where known, in the source. Such a kernel cannot be launched.
    Diagnostics unsupported;
};
std::vector<KernelInfo> kernels(const Program& program);

}  // namespace lanescope::simt
