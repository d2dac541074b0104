// Launches of a part of a grid.
#pragma once

#include <cstdint>

namespace lanescope::simt {

// While it lives, what its thread launches on a machine runs the blocks [first, end) of the grid only; the
// others are left out. Grids that kernels launch run whole.
class BlockRange {
  public:
    BlockRange(std::uint64_t first, std::uint64_t end);
    ~BlockRange();
    BlockRange(const BlockRange&) = delete;
    BlockRange& operator=(const BlockRange&) = delete;

    std::uint64_t first() const { return first_; }
    std::uint64_t end() const { return end_; }
    static const BlockRange* current();  // null: launches run whole

  private:
    std::uint64_t first_, end_;
    const BlockRange* before_;
};

}  // namespace lanescope::simt
