// A launch for a kernel of a PTX file that states none. What the parameters mean follows from the code
// (parameter_facts.h) and from what is left of the source (kernel_signature.h); the sizes of buffers follow
// from runs that see where the kernel accesses them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/result.h"
#include "lesson/front_matter.h"
#include "session/ptx/ptx_file.h"

namespace lanescope::session {

// What a run of a front matter touched.
struct Touched {
    std::map<std::string, std::uint64_t> bytes;  // of each buffer: the end of the last access
    std::uint64_t shared_bytes = 0;              // of the shared memory whose size the launch gives
    std::string problem;                         // the first; empty: there is none
};
using TryLaunch = std::function<Result<Touched>(const lesson::FrontMatter&)>;

// `kernel`: its name; empty: the first. Errors: no kernel has that name; a structure that the code does not
// explain.
Result<lesson::FrontMatter> propose_ptx_launch(const PtxFile& ptx, const std::string& file,
                                               const std::string& kernel, const TryLaunch& attempt);

}  // namespace lanescope::session
