// Asynchronous copies that were issued and whose bytes have not arrived yet (PTX ISA 9.7.9.25).
//
// The source is read when the copy is issued; bulk copies out of shared memory read it when a thread waits
// for their group. The destination is written as late as hardware may write it: when the thread waits for the
// copy's group, or when a thread tests or waits on the mbarrier object that tracks it. So a program that
// forgets to wait reads what was there before. Copies of lanes for which no thread waits arrive when the
// block ends, copies out of shared memory when their thread ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "simt/memory/lanes.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"

namespace lanescope {
struct Mbarrier;
}

namespace lanescope::simt {

struct Warp;

struct PendingCopy {  // cp.async of one warp
    std::uint32_t pc = 0;
    std::uint64_t number = 0;    // of the warp's copies, in the order of their issue
    std::uint64_t sequence = 0;  // the same of the block's
    Mask lanes = 0;              // whose bytes have not arrived
    std::uint8_t width = 0;
    std::array<std::uint32_t, warp_size> group{};
    std::array<std::uint64_t, warp_size> to{};  // generic addresses
    std::array<std::byte, warp_size * 16> data{};
    Charge charge;
};

struct BulkCopy {  // of one thread
    std::uint32_t pc = 0;
    unsigned lane = 0;
    std::uint32_t group = 0;
    std::uint64_t from = 0, to = 0;  // generic addresses
    std::uint64_t size_bytes = 0;
    bool read = false;  // `data` holds the source
    std::vector<std::byte> data;
    Charge charge;
};

struct WarpAsync {
    WarpAsync() = default;
    WarpAsync(WarpAsync&&) = default;  // the copies' charges move with them

    std::deque<PendingCopy> copies;
    std::deque<BulkCopy> stores;  // out of shared memory
    std::uint64_t issued = 0;
    std::array<std::uint32_t, warp_size> groups{}, bulk_groups{};  // committed so far
};

// What an mbarrier object tracks: the arrival of a warp's lanes once their copies are done, or a bulk copy.
struct Tracked {
    std::uint32_t pc = 0;
    std::uint32_t warp = 0;
    Mask lanes = 0;
    std::uint64_t before = 0;  // copies with a smaller number belong to it
    bool bulk = false;
    BulkCopy copy;
};

struct BlockAsync {
    std::vector<WarpAsync> warps;
    std::map<std::uint64_t, std::vector<Tracked>> objects;  // live mbarrier objects by generic address
    std::uint64_t bulk_bytes = 0;                           // under way into shared memory
    std::uint64_t issued = 0;                               // copies of lanes
};

BlockAsync& async_of(Warp& warp);

// A copy or an object of the running instruction, for checks and the trace.
Decoded piece_at(std::uint32_t pc, Window window, unsigned width);

// Copies of a warp of the running warp's block with numbers below `before` arrive for the lanes.
void finish_copies(Warp& running, std::uint32_t warp, Mask lanes, std::uint64_t before);
// Copies in the lanes' groups arrive, except those of the last `keep` groups.
void finish_groups(Warp& warp, Mask lanes, std::uint32_t keep);
// The same for bulk copies out of shared memory. `read_only`: only their sources are read.
void finish_stores(Warp& warp, Mask lanes, std::uint32_t keep, bool read_only);
void finish_all_stores(Warp& warp, Mask lanes);  // the lanes leave the kernel
// Once no lane of the block is left, copies that none of them awaited arrive: the trace then has where they
// went.
void finish_abandoned_copies(Warp& running);
// The bytes of a bulk copy arrive.
void finish_bulk(Warp& running, BulkCopy& copy);

// Completes the copies that the object at this address tracks.
void finish_tracked(Warp& running, std::uint64_t object);
// Returns the object at a lane's address; null if there is none, which is reported.
std::byte* object_at(Warp& warp, const Decoded& decoded, unsigned lane, std::uint64_t address);
// Changes a live object on behalf of a lane; the instruction may be one of another warp.
void change_object(Warp& running, std::uint32_t pc, unsigned lane, std::uint64_t address,
                   const std::function<void(Mbarrier&)>& change);

}  // namespace lanescope::simt
