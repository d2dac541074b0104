// The lanes' targets of one memory instruction: addresses, checks, host pointers, and what a trace records of
// it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simt/memory/lanes.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"
#include "simt/state/warp.h"
#include "trace/trace.h"

namespace lanescope::simt {

using Addresses = std::array<std::uint64_t, warp_size>;

// Addresses of shared and local memory have 32 bits, of which the last is a sign here: an index below the
// first variable stays recognisable.
inline void wrap_addresses(Window window, Addresses& addresses) {
    if (window != Window::shared && window != Window::local) return;
    const std::uint64_t start = window_start(window);
    for (std::uint64_t& address : addresses)
        address = start + static_cast<std::uint64_t>(
                              std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(address))});
}

// A lane's own local memory begins at window::local. The addresses of other threads' stay as they are, which
// is beyond any stack. Some bytes before one's own are an index below the first variable.
inline std::uint64_t own_local(const Warp& warp, unsigned lane, std::uint64_t address) {
    constexpr std::uint64_t before = window::local_bytes / 2;
    const std::uint64_t distance = address - (warp.local_start + lane * window::local_bytes) + before;
    return distance < before + window::local_bytes ? window::local + distance - before : address;
}

// Generic addresses of all lanes: the address row plus Decoded::imm.
inline void form_addresses(const Warp& warp, const Decoded& decoded, Addresses& addresses) {
    const auto offset = static_cast<std::uint64_t>(decoded.imm);
    if (decoded.narrow_address) {
        const auto* row = warp.row<std::uint32_t>(decoded.a);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            addresses[lane] = row[lane] + offset;
    } else {
        const auto* row = warp.row<std::uint64_t>(decoded.a);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            addresses[lane] = row[lane] + offset;
    }
    wrap_addresses(decoded.window, addresses);
    if (decoded.window != Window::none && decoded.window != Window::local) return;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        addresses[lane] = own_local(warp, lane, addresses[lane]);
}

// The bytes at an address as this lane sees it; null when they lie outside. For strings and printf's
// arguments.
const std::byte* readable_bytes(Warp& warp, unsigned lane, std::uint64_t address, unsigned size_bytes);

// Where each lane's bytes are. `mask` holds the lanes whose access is sound; the others were reported.
struct Targets {
    Mask mask = 0;
    std::array<std::byte*, warp_size> data;
    std::array<std::uint64_t*, warp_size> set;        // set bits of the lane's region; null: always set
    std::array<std::uint64_t, warp_size> set_offset;  // bit of the first byte
    std::array<Region*, warp_size> region;            // null: local memory
};

// Resolves and checks every lane of the mask. Loads and atomics of unset bytes are reported and read
// zeros.
void resolve(Warp& warp, const Decoded& decoded, Mask mask, const Addresses& addresses,
             trace::AccessKind kind, Targets& targets);

// Marks the lane's bytes as set; bits of bytes that had no value before.
std::uint16_t mark_lane(Targets& targets, unsigned lane, unsigned width);

// Bytes of one lane outside of its local memory, of any number.
struct ByteRange {
    std::byte* data = nullptr;  // null: the access is not sound and was reported
    Region* region = nullptr;
    std::uint64_t offset = 0;  // in the region
};
// Checks a range as resolve() checks an access; `piece` names the instruction and its state space.
ByteRange resolve_range(Warp& warp, const Decoded& piece, unsigned lane, std::uint64_t address,
                        std::uint64_t count, unsigned alignment, trace::AccessKind kind);
// Reads or writes a range whose place was checked before, and records it in pieces of up to 16 bytes. The
// place may have been freed since: then nothing happens.
void record_range_load(Warp& warp, const Decoded& piece, unsigned lane, std::uint64_t address,
                       std::uint64_t count);
void write_range(Warp& warp, const Decoded& piece, unsigned lane, std::uint64_t address,
                 const std::byte* bytes, std::uint64_t count);

// Bytes of an access for the trace: lane i's at i × width.
struct Recorded {
    alignas(16) std::array<std::byte, warp_size * 16> before, after;
    std::array<std::uint16_t, warp_size> newly_set{};
};
// Gives a finished access to the recorder, once per state space.
void record_access(Warp& warp, const Decoded& decoded, trace::AccessKind kind, Mask mask,
                   const Addresses& addresses, const Recorded* values);

}  // namespace lanescope::simt
