// While a job runs, the page shows a bar with Cancel. The worker's one thread hears no message meanwhile: it
// asks by a request whether a URL that the page revokes is still there (protocol.js).
#include <emscripten.h>

#include "base/jobs.h"

// clang-format off
EM_JS(int, lanescope_tell_page, (float share, int phase), { return Module.hearJob ? Module.hearJob(share, phase) : 0; });
// clang-format on

namespace lanescope {

void JobContext::tell_host(JobContext& job) {
    if (lanescope_tell_page(job.share(), job.phase()) != 0) job.cancel();
}

}  // namespace lanescope
