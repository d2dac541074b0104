// Facts about a program's kernels that callers need for a launch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace lanescope::simt {

struct Program;  // the decoded module; program.h

struct KernelInfo {
    std::string symbol;  // mangled
    std::string name;    // demangled, without parameters: "reduce<int, Plus>"
    std::vector<ptx::Variable> parameters;
    std::uint32_t static_shared_bytes = 0;
};
std::vector<KernelInfo> kernels(const Program& program);

}  // namespace lanescope::simt
