// The last accesses to each piece of memory: one cell per 4 bytes, or per byte where narrower
// accesses occur.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/happens_before.h"

namespace lanescope::analysis {

// One instruction of one warp, as it touched a cell.
struct ShadowAccess {
    Time time = 0;
    std::uint32_t warp = 0;
    trace::Mask lanes = 0;  // 0: no lane
    std::uint32_t pc = 0;
    bool writes = false;
};

struct ShadowCell {
    ShadowAccess write;  // the last one; one lane
    ShadowAccess read;   // since then, or the last one before it
    // More reads since then, and atomic writes that nothing orders before the last one: index into Shadow's
    // pool, 0: none.
    std::uint32_t older = 0;
    std::uint8_t older_count = 0;
    bool older_writes = false;  // some of them are writes
    bool older_plain = false;   // not all of them are atomics that reach all of the grid
    bool read_stale = false;    // `read` came before `write`, in order
    bool agreed = false;        // several threads wrote the value that it has, and nothing orders them
};

// Shadow of one space of memory. Pages come with their first access.
class Shadow {
  public:
    static constexpr std::uint64_t page_bytes = 256;

    struct Page {
        unsigned shift = 2;  // a cell's bytes, as a power of two
        std::vector<ShadowCell> cells = std::vector<ShadowCell>(page_bytes >> 2);
    };
    struct Older {
        ShadowAccess touch;
        std::uint32_t next = 0;
    };

    // Null when `bytes_left` is used up. `narrow`: the access does not cover whole words.
    Page* page(std::uint64_t number, bool narrow, std::uint64_t& bytes_left);
    std::uint32_t add_older(const ShadowAccess& touch, std::uint32_t next);
    Older& older(std::uint32_t index) { return pool_[index]; }
    void free_older(std::uint32_t first);  // and all that follow
    std::uint64_t bytes() const { return bytes_; }

  private:
    void make_narrow(Page& page, std::uint64_t& bytes_left);

    std::vector<std::unique_ptr<Page>> pages_;
    std::vector<Older> pool_ = std::vector<Older>(1);
    std::uint32_t free_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace lanescope::analysis
