// The streams of one launch on the host: written by a GPU, or made from a trace of the CPU machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/record.h"
#include "trace/trace.h"

namespace lanescope::trace {

struct RecordStreams {
    std::uint32_t launch = 0;           // in the trace
    std::vector<std::uint32_t> blocks;  // recorded ones, ascending; slot order
    std::uint32_t block_threads = 0;    // per block
    std::uint32_t capacity = 0;         // records per thread
    std::vector<std::uint32_t> counts;  // per slot: records that the thread made; more than capacity: cut off
    std::vector<Record> records;        // capacity × threads(), as record.h says

    std::uint32_t threads() const { return static_cast<std::uint32_t>(blocks.size()) * block_threads; }
    const Record& at(std::uint32_t slot, std::uint32_t k) const {
        return records[std::uint64_t{k} * threads() + slot];
    }
};

// The points (steps, with their masks) of one launch of a trace as streams: what shaders draw. The clock is
// the number of the turn within the launch, the SM is 0; begin and end records hold the first and last turn
// of the thread. Variables and accesses are included as in a GPU's streams, addresses being offsets in their
// space.
//
// A thread's records stand in the order in which things happened: the point of a turn, then what the turn
// did.
//  - access: the value is what a lane loaded or stored, of an atomic operation what it found. Of values wider
//  than 4 bytes
//    all bytes follow in data records, 8 in each, the last one filled up with zeros. Its pc is the
//    instruction's.
//  - variable: `extra` is the slot in its frame, the pc the turn's, or the first one of the frame's function
//  where the
//    turn belongs to another function. The slot's whole 8 bytes are the value. A variable that loses its
//    value leaves none.
//  - lane: one for each lane that takes part in an exchange; `extra` is the lane that its value came from.
//  - end: only of threads that returned from the kernel.
RecordStreams streams_of(const Trace& trace, std::uint32_t launch);

// A part of them.
struct StreamsWanted {
    bool accesses = true;  // and exchanges
    bool variables = true;
    std::vector<std::uint32_t> blocks = {};        // ascending; empty: all that are recorded
    std::uint32_t max_records = none;              // per thread; what comes later is cut off
    const std::atomic<bool>* cancelled = nullptr;  // once it is true, what is made is of no use
};
RecordStreams streams_of(const Trace& trace, std::uint32_t launch, const StreamsWanted& wanted);

// How many records each thread has, per slot: what streams_of will need, without making it.
std::vector<std::uint32_t> count_records(const Trace& trace, std::uint32_t launch,
                                         const StreamsWanted& wanted);

// The address of an access of the CPU machine: the space above, the offset in it below.
constexpr unsigned stream_space_shift = 60;
constexpr std::uint64_t stream_address(Space space, std::uint64_t offset) {
    return std::uint64_t{static_cast<std::uint8_t>(space)} << stream_space_shift |
           (offset & ((std::uint64_t{1} << stream_space_shift) - 1));
}
constexpr Space space_of(std::uint64_t stream_address) {
    return static_cast<Space>(stream_address >> stream_space_shift);
}
constexpr std::uint64_t offset_in_space(std::uint64_t stream_address) {
    return stream_address & ((std::uint64_t{1} << stream_space_shift) - 1);
}

}  // namespace lanescope::trace
