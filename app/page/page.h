// A run as one HTML file that steps through the trace in any browser: no installation, no further file, no
// request.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/run/run.h"

namespace lanescope::page {

struct PageOptions {
    std::vector<std::uint32_t> blocks = {};  // empty: the first one that is recorded
    std::size_t first_step = 0;              // of each block, as `run --steps` numbers them
    std::size_t last_step = std::numeric_limits<std::size_t>::max();  // or the block's last one
    std::string version = {};                                         // of the program
    std::uint64_t max_bytes = 20ull << 20;                            // of the file
};

// Text of the page. Errors: no trace, a block that is not recorded, steps that do not exist, cancelled, a
// page larger than `max_bytes` (with what to ask for instead), a missing file of assets/html.
Result<std::string> make_page(const session::RunResult& run, const PageOptions& options,
                              const std::atomic<bool>* cancel = nullptr,
                              const std::function<void(float)>& progress = {});

// What the page holds, as JSON text: {facts, texts, blocks}. Errors as above, but for the size.
Result<std::string> page_data(const session::RunResult& run, const PageOptions& options,
                              const std::atomic<bool>* cancel = nullptr,
                              const std::function<void(float)>& progress = {});

}  // namespace lanescope::page
