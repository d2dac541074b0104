// Trial runs of a proposed launch, and what they tell: how far each buffer is used, and how.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"
#include "trace/trace.h"

namespace lanescope::execution {

using BlockSize = std::array<std::int64_t, 3>;

struct Use {
    std::uint64_t end_bytes = 0;  // of the last access
    bool read = false;            // bytes that no thread had written before
    bool written = false;
    bool updated = false;  // by atomic operations
    bool offsets = false;  // threads read element i and element i + 1, and nothing is written
};

struct Touched {
    std::map<std::string, Use> buffers;
    std::uint64_t shared_bytes = 0;  // of the shared memory whose size the launch gives
    // Blocks that have a thread for each element of a shared array, because each thread accesses its own.
    // Largest first.
    std::vector<BlockSize> fitting;
    bool fitting_exactly = false;  // else they are rounded down, as with an array that has a halo
    // Thread t writes in a later round of a loop what thread t + stride wrote in an earlier one: the loop is
    // meant for a block of so many threads.
    std::optional<std::int64_t> loop_stride;
    std::vector<trace::Problem> problems;
    std::uint64_t warp_instructions = 0;
    bool ended = false;
};

struct TrialRun {
    std::shared_ptr<const trace::Trace> trace;
    std::vector<trace::Problem> problems;
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint64_t warp_instructions = 0;
    bool ended = false;
};
using TryLaunch = std::function<Result<TrialRun>(const lesson::FrontMatter&)>;

// `element_bytes`: of the buffers whose elements are whole numbers, which may be offsets.
Touched measure(const TrialRun& run, const std::map<std::string, std::uint32_t>& element_bytes);

}  // namespace lanescope::execution
