// Library peers: a well-kept library computes the same result and is timed in the same run, by the same rules
// as the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/clean/timing.h"

namespace lanescope::gpu {

// The kernel's input. The peer uploads the input into as many rotating copies as timing.h asks for,
// times itself with measure(), and checks its result once before it is timed.
struct PeerRequest {
    std::string name;                     // "cub_reduce": one of built_peers()
    std::uint64_t n = 0;                  // elements of the input
    std::uint64_t rows = 0, columns = 0;  // of a matrix; 0: the input is a row
    std::string element;                  // as front matter spells it: "int", "float", "uchar"
    std::uint64_t input_bytes = 0;
    std::span<const std::byte> input;  // the contents of the lesson's first initialised buffer
    std::uint64_t results =
        0;  // elements of the buffer that the lesson checks: 1 for a sum, bins of a histogram
    std::map<std::string, std::int64_t> parameters;  // of the lesson
};

struct PeerTiming {
    std::string name;     // as asked for
    std::string library;  // with its version: "CUB 3.0.1"
    Timing timing;
    std::uint64_t bytes = 0;  // that the algorithm must move, counted as for the lesson
};

// The peers that this program holds; empty when it was built without them.
std::vector<std::string> built_peers();

// Errors: no such peer, with those that there are; an element type or a size that it does not take; those of
// measure(); a result that is wrong.
Result<PeerTiming> time_peer(Context& context, const PeerRequest& request,
                             const MeasureOptions& options = {});

}  // namespace lanescope::gpu
