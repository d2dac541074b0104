// Which memory the blocks of a launch share, seen from those that are recorded.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/cycles/multiprocessor.h"

namespace lanescope::analysis {

class Sharing {
  public:
    Sharing(const LaunchStreams& streams, const LaunchContext& context);

    // Only one of the recorded blocks touches the sector: other blocks have sectors of their own instead.
    bool is_private(std::uint32_t sector) const {
        const auto found = owner_.find(sector);
        return found != owner_.end() && found->second != several;
    }
    // Several blocks write it, or operate on it atomically.
    bool is_contended(std::uint32_t sector) const {
        const auto found = writer_.find(sector);
        return found != writer_.end() && found->second == several;
    }
    // The share of what a multiprocessor reads for the first time that no other one has read before.
    double fresh() const { return fresh_; }

  private:
    static constexpr std::uint32_t several = 0xffffffff;
    static void touch(std::unordered_map<std::uint32_t, std::uint32_t>& owners, std::uint32_t sector,
                      std::uint32_t block);

    std::unordered_map<std::uint32_t, std::uint32_t> owner_, writer_;
    double fresh_ = 1;
};

}  // namespace lanescope::analysis
