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
    std::string lines_file, lines_text;  // of the header that holds the kernel; empty: the file itself does
};

// Adds the types that describe buffers.
void name_buffer_types(TypeTable& types);

// `file` and `source`: those that were compiled. `kernel`: the first that is launched; the lines of its file
// are the steps. Errors: the PTX does not parse; the machine cannot load it.
Result<LoadedCode> load_code(const compile::Output& compiled, const std::string& file,
                             const std::string& source, const std::string& kernel);

}  // namespace lanescope::execution
