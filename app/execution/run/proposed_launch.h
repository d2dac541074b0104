// A launch for a file that states none: front_matter_of() in launch_arguments.h.
#pragma once

#include <string>

#include "base/result.h"
#include "execution/proposal/launch_proposal.h"
#include "execution/run/launch_arguments.h"
#include "execution/run/loaded_code.h"

namespace lanescope::execution {

struct PtxProgram;

// A launch that is proposed, and the code of its trial runs: with debug information.
struct ProposedLaunch {
    Proposal proposal;
    compile::Output compiled;
    LoadedCode code;
};
// `newest`: the target of files that state none. Errors: those of front_matter_of().
Result<ProposedLaunch> propose_for_source(const std::string& source, const std::string& file,
                                          const Opening& opening, const std::string& newest);
Result<Proposal> propose_for_ptx(const PtxProgram& ptx, const std::string& text, const std::string& file,
                                 const Opening& opening);
// Error: a kernel is chosen or a part of its launch is stated, but `front` states its launches.
Result<void> check_kernel_choice(const lesson::FrontMatter& front, const std::string& file,
                                 const Opening& opening);

}  // namespace lanescope::execution
