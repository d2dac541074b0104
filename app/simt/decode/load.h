// Turns a module into a program that machines run.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"
#include "simt/program/program.h"

namespace lanescope::simt {

// Returns a decoded module, which machines can share. KernelInfo::unsupported lists the
// instructions that are not supported. Errors: variables too large to place. `source_text` and `user_file` go
// into the trace. `placement`: the ends of the memory that a machine shares with others.
Result<std::shared_ptr<const Program>> load(const ptx::Module& module, const ptx::DebugInfo& debug,
                                            const std::string& ptx_text, const std::string& user_file,
                                            const std::string& source_text, const Placement& placement = {});

}  // namespace lanescope::simt
