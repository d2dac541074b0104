// Proposes a launch for a kernel whose file states none. What the text states (lesson/proposal) stays; what
// the parameters mean follows from the debug information and the code (kernel_arguments.h,
// parameter_facts.h); the block, the sizes of buffers and their contents follow from trial runs (trial.h),
// which have limits, so that a kernel that never ends costs little.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "execution/proposal/kernel_arguments.h"
#include "execution/proposal/trial.h"
#include "lesson/front_matter.h"
#include "ptx/debug_info.h"
#include "ptx/module.h"

namespace lanescope::execution {

struct KernelCode {
    const ptx::Module& module;
    const ptx::Function& kernel;
    const ptx::DebugInfo& debug;
    std::string shown;  // as the front matter names it: "reduce<128>"
};

// What of a proposed launch nothing states, beside the contents of buffers.
struct Guesses {
    std::set<std::string> counts;   // buffers whose size is a guess
    std::set<std::string> values;   // parameters
    std::set<std::string> inputs;   // buffers that the kernel reads and does not write
    std::set<std::string> extents;  // parameters that say how many blocks there are
    bool block = false, grid = false;
    bool shared = false;       // the size of the dynamic shared memory
    bool blind = false;        // `block` with several axes, `grid` and `shared` are all guesses
    bool block_fits = false;   // each thread of the block has an element of a shared array
    bool many_blocks = false;  // the code is made for a grid of several blocks
};

struct Proposal {
    lesson::FrontMatter front;  // its notes say what was guessed, a sentence each
    Guesses guesses;
};

// Errors: those of arguments_of(); a trial that cannot
// begin.
Result<Proposal> propose_launch(const KernelCode& code, const KernelText& text, const TryLaunch& attempt);

}  // namespace lanescope::execution
