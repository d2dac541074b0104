// The proposal for one kernel: propose.h.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"
#include "lesson/proposal/host_launches.h"
#include "lesson/proposal/source_model.h"

namespace lanescope::lesson {

// `body`: the kernel's, with its braces. `launch`: of host code; null if there is none. Errors: those of
// propose(), at the kernel in `file`.
Result<FrontMatter> propose_launch(const SourceModel& model, const KernelSignature& kernel,
                                   const std::vector<CppToken>& body, const HostLaunch* launch,
                                   const std::string& file);

}  // namespace lanescope::lesson
