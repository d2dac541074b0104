// A kernel file's optimised code, decoded for the CPU SIMT machine.
#pragma once

#include <memory>
#include <vector>

#include "compile/compiler.h"
#include "preview/run/fit.h"
#include "ptx/debug_info.h"
#include "simt/program/kernel_info.h"

namespace lanescope::preview {

struct CpuCode {
    compile::Output compiled;
    std::shared_ptr<const simt::Program> program;
    std::vector<simt::KernelInfo> kernels;
    TypeTable types;
};
// Errors: the compiler's, at their lines; code that the machine does not know.
Result<std::shared_ptr<const CpuCode>> compile_for_cpu(const KernelFile& kernel, const Fit& fit);

}  // namespace lanescope::preview
