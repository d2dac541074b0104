// The examinations. Each adds its checks to the report.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "doctor/report.h"
#include "gpu/driver/context.h"

namespace lanescope::doctor {

// Returns a check that works if `result` has no diagnostics and otherwise fails with the first of them.
Check checked(std::string name, std::string label, const Result<void>& result, std::string message);

// Compiles the trial kernel with NVRTC and returns its PTX if that worked.
std::optional<std::string> check_compiler(Report& report);

// Compiles a lesson and runs it on the CPU SIMT machine.
void check_cpu_engine(Report& report);

// Checks the driver and, on every device, the properties, the bandwidth and a kernel.
void check_cuda(Report& report, const std::optional<std::string>& ptx);

// Checks OpenGL without a window and with one; in both, whether it opens memory of a process with the GPU.
void check_gl(Report& report);

}  // namespace lanescope::doctor
