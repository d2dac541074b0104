// The single examinations; each adds its checks to the report.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "doctor/report.h"
#include "gpu/driver/context.h"

namespace lanescope::doctor {

// A check that works when there are no diagnostics, else fails with the first of them.
Check checked(std::string name, std::string label, const Result<void>& result, std::string message);

// Compiles the trial kernel, with NVRTC; its PTX when it worked.
std::optional<std::string> check_compiler(Report& report);

// Compiles a lesson and runs it on the CPU SIMT machine.
void check_cpu_engine(Report& report);

// The driver, and on every device: properties, bandwidth, a kernel.
void check_cuda(Report& report, const std::optional<std::string>& ptx);

// OpenGL without a window and with one, and in both a kernel that writes into an OpenGL buffer.
void check_gl(Report& report, const std::optional<std::string>& ptx);

}  // namespace lanescope::doctor
