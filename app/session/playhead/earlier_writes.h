// The bytes that a step wrote so far: an access that overlaps none of them reads or replaces a value from
// before the step.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "trace/replay.h"

namespace lanescope::session {

class EarlierWrites {
  public:
    // Whether the access of this lane of the warp sees only bytes from before the step.
    bool is_operand(const trace::Access& access, std::uint32_t warp, unsigned lane) const {
        for (unsigned byte = 0; byte < access.width_bytes; ++byte)
            if (bytes_.contains(key(access, warp, lane, byte))) return false;
        return true;
    }
    void add(const trace::Access& access, std::uint32_t warp, unsigned lane) {
        for (unsigned byte = 0; byte < access.width_bytes; ++byte)
            bytes_.insert(key(access, warp, lane, byte));
    }

  private:
    // Local memory is the thread's own; shared memory can be another block's.
    static std::uint64_t key(const trace::Access& access, std::uint32_t warp, unsigned lane, unsigned byte) {
        const std::uint64_t owner = access.space == trace::Space::local
                                        ? std::uint64_t{warp} * trace::warp_size + lane + 1
                                    : access.owner != trace::none ? std::uint64_t{access.owner} + 1
                                                                  : 0;
        return std::uint64_t(access.space) << 62 ^ owner << 44 ^ (access.offset[lane] + byte);
    }
    std::unordered_set<std::uint64_t> bytes_;
};

}  // namespace lanescope::session
