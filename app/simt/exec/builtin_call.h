// Arguments and results of calls to functions that the machine itself provides.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simt/program/program.h"
#include "simt/state/launch_context.h"
#include "simt/state/warp.h"

namespace lanescope::simt {

template <class T>
T argument(const Warp& warp, const Slot& slot, unsigned lane) {
    T value{};
    std::memcpy(&value, warp.row<std::byte>(slot.ref) + lane * slot.stride,
                std::min<std::size_t>(sizeof value, slot.size_bytes));
    return value;
}

inline void set_result(Warp& warp, const CallSite& site, unsigned lane, std::uint64_t value) {
    if (site.results.empty() || site.results[0].ref == no_ref) return;
    const Slot& slot = site.results[0];
    std::memcpy(warp.row<std::byte>(slot.ref) + lane * slot.stride, &value,
                std::min<std::size_t>(sizeof value, slot.size_bytes));
}

// The call, if it passes so many arguments.
inline const CallSite* site_of(const Warp& warp, const Decoded& decoded, std::size_t arguments) {
    const CallSite& site = warp.run->program.calls[decoded.target];
    return site.arguments.size() >= arguments ? &site : nullptr;
}

// malloc: an address, 0 when there is no memory.
std::uint64_t allocate_for_thread(LaunchContext& run, std::uint64_t size_bytes);
// free, of the address that the call's first argument holds.
void release_for_threads(Warp& warp, const Decoded& decoded, Mask mask);

}  // namespace lanescope::simt
