// The ordering guarantees of an instruction's access (PTX ISA, "Memory Consistency Model").
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/trace.h"

namespace lanescope::analysis {

class Code;

struct MemoryOrder {
    bool strong = false;       // relaxed or stronger, volatile, or atomic: two such accesses never race
    bool is_volatile = false;  // strong, but not an atomic access of CUDA C++
    bool atomic = false;       // reads and writes as one
    bool compares = false;     // compare and swap
    bool polls = false;  // compare and swap, or swap: one that changes nothing is a failed try, not a signal
    bool acquires = false;
    bool releases = false;
    bool copies = false;           // cp.async: reads now and writes when its group is awaited
    bool asynchronous = false;     // a copy engine accesses memory, not the lane
    std::string_view exchange{};   // not empty: lanes meet in this operation, which orders no memory
    bool relaxed_arrival = false;  // at the cluster's barrier: hands on only what a fence covers
    trace::FenceScope scope = trace::FenceScope::gpu;
};

// An instruction that is not known is a weak access.
MemoryOrder memory_order(const Code& code, std::uint32_t pc);

}  // namespace lanescope::analysis
