// The streams of one launch on the host: written by a GPU, or made from a trace of the CPU machine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/record.h"
#include "trace/trace.h"

namespace lanescope::trace {

struct RecordStreams {
    std::uint32_t launch = 0;             // in the trace
    std::vector<std::uint32_t> blocks;    // recorded ones, ascending; slot order
    std::uint32_t block_threads = 0;      // per block
    std::uint32_t capacity = 0;           // records per thread
    std::vector<std::uint32_t> counts;    // per slot: records that the thread made; more than capacity: cut off
    std::vector<Record> records;          // capacity × threads(), as record.h says

    std::uint32_t threads() const { return static_cast<std::uint32_t>(blocks.size()) * block_threads; }
    const Record& at(std::uint32_t slot, std::uint32_t k) const {
        return records[std::uint64_t{k} * threads() + slot];
    }
};

// The points (steps, with their masks) of one launch of a trace as streams: what shaders draw. The clock is the number of
// the turn within the launch, the SM is 0; begin and end records hold the first and last turn of the thread. Variables and
// accesses are included as in a GPU's streams, addresses being offsets in their space.
RecordStreams streams_of(const Trace& trace, std::uint32_t launch);

}  // namespace lanescope::trace
