#include "simt/state/barrier.h"

namespace lanescope::simt {

bool Barrier::idle() const {
    if (passed_by != 0) return false;
    for (const Mask mask : waiting)
        if (mask != 0) return false;
    return true;
}

std::uint32_t Barrier::arrived(const WarpMasks& live) const {
    std::uint32_t threads = passed_by;
    for (unsigned warp = 0; warp < max_warps_per_block; ++warp) {
        const Mask here = waiting[warp] & live[warp];
        if (here == 0) continue;
        threads += here == live[warp] ? warp_size : lane_count(here);
    }
    return threads;
}

bool Barrier::complete(const WarpMasks& live) const {
    if (idle()) return false;
    if (expected != 0) return arrived(live) >= expected;
    for (unsigned warp = 0; warp < max_warps_per_block; ++warp)
        if ((live[warp] & ~waiting[warp]) != 0) return false;
    return true;
}

}  // namespace lanescope::simt
