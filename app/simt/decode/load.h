// Turns a module into a program that machines run.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"
#include "simt/program/program.h"

namespace lanescope::simt {

// Returns a decoded module, which machines can share. Errors: instructions that are not supported, each
// located in the PTX and, where known, in the source. `source_text` and `user_file` go into the trace.
Result<std::shared_ptr<const Program>> load(const ptx::Module& module, const ptx::DebugInfo& debug,
                                            const std::string& ptx_text, const std::string& user_file,
                                            const std::string& source_text);

}  // namespace lanescope::simt
