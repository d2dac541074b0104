// Traces of blocks that were asked for, as far as there is room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "preview/run/sample.h"

namespace lanescope::preview {

class BlockSamples {
  public:
    // `max_accesses`: of all samples together; the newest one is kept whatever its size.
    explicit BlockSamples(std::size_t max_accesses = 4'000'000) : max_accesses_(max_accesses) {}

    void clear() { kept_.clear(); }
    void add(BlockSample sample);
    const BlockSample* find(std::uint32_t block) const;  // until the next add()

  private:
    std::size_t max_accesses_;
    std::vector<BlockSample> kept_;  // the newest last
};

}  // namespace lanescope::preview
