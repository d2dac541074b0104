// Writes a run as one HTML file that steps through the trace in any browser. The page needs no installation,
// no other file and no network.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/run/run.h"

namespace lanescope::page {

struct PageOptions {
    std::vector<std::uint32_t> blocks = {};                           // empty: the first recorded block
    std::size_t first_step = 0;                                       // of each block, from 0
    std::size_t last_step = std::numeric_limits<std::size_t>::max();  // or the block's last one
    std::string version = {};                                         // of the program
    // Opens the run in the version for browsers; the page adds its step. Empty: the page has no link.
    std::string link = {};
    bool clock = false;                     // with estimates of how long a GPU would take
    std::uint64_t max_bytes = 20ull << 20;  // of the file
};

// Returns the text of the page. Errors: no trace, a block that is not recorded, steps that do not exist,
// cancelled, a page larger than `max_bytes` (the hint proposes a smaller request), a missing file of
// assets/html.
Result<std::string> make_page(const execution::RunResult& run, const PageOptions& options,
                              const std::atomic<bool>* cancel = nullptr,
                              const std::function<void(float)>& progress = {});

// Returns the contents of the page as JSON text: {facts, texts, flows, blocks}. Errors: make_page's except
// the size.
Result<std::string> page_data(const execution::RunResult& run, const PageOptions& options,
                              const std::atomic<bool>* cancel = nullptr,
                              const std::function<void(float)>& progress = {});

}  // namespace lanescope::page
