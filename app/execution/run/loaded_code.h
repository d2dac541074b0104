// Compiled code as a program of the machine, with its debug information.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "compile/compiler.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"

namespace lanescope::simt {
struct Program;
}

namespace lanescope::execution {

struct LoadedCode {
    std::shared_ptr<const ptx::Module> module;
    ptx::DebugInfo debug;  // its types include those that buffers may have
    std::shared_ptr<const simt::Program> program;
};

// Adds the types that describe buffers.
void name_buffer_types(TypeTable& types);

// `file` and `source`: those that were compiled. Errors: the PTX does not parse; the machine cannot load it.
Result<LoadedCode> load_code(const compile::Output& compiled, const std::string& file,
                             const std::string& source);

}  // namespace lanescope::execution
