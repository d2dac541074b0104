// A PTX file as a program of the machine, and the launch that it states or that is proposed for it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "compile/compiler.h"
#include "execution/ptx/ptx_file.h"
#include "execution/run/proposed_launch.h"
#include "lesson/front_matter.h"

namespace lanescope::simt {
struct Program;
}

namespace lanescope::execution {

struct PtxProgram {
    PtxFile file;
    std::shared_ptr<const simt::Program> program;
};

// Errors: those of open_ptx(); the machine cannot load the module.
Result<PtxProgram> load_ptx(const std::string& text, const std::string& file);

// As the compiler would have answered: the text with the symbols of its kernels.
compile::Output output_of(const PtxProgram& ptx, const std::string& text);

// Returns the front matter in a comment of the text, or that of NAME.toml beside NAME.ptx, or a proposed
// launch with what was guessed. Errors: those of front_matter_of(); flags for a compiler.
Result<Proposal> ptx_front_matter(const PtxProgram& ptx, const std::string& text, const std::string& file,
                                  const Opening& opening, bool& proposed);

}  // namespace lanescope::execution
