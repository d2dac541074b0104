#include "base/jobs.h"

namespace lanescope {

void JobContext::tell_host(JobContext&) {}

}  // namespace lanescope
