// The streams of one launch on the host, either written by a GPU or made from a trace of the CPU machine.
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
    std::vector<std::uint32_t> blocks;  // recorded blocks, ascending, in slot order
    std::uint32_t block_threads = 0;    // per block
    std::uint32_t capacity = 0;         // records per thread
    std::vector<std::uint32_t> counts;  // per slot: records that the thread made, even beyond the capacity
    std::vector<Record> records;        // capacity × threads(); layout of record.h
    // The block of a GPU's first thread, if it is not among these, and that thread's first records, which say
    // where variables lie.
    std::uint32_t first_block = 0;
    std::vector<Record> first_records;

    std::uint32_t threads() const { return static_cast<std::uint32_t>(blocks.size()) * block_threads; }
    const Record& at(std::uint32_t slot, std::uint32_t k) const {
        return records[std::uint64_t{k} * threads() + slot];
    }
};

// Returns the points (steps with their masks) of one launch of a trace as streams for shaders to draw. The
// clock is the number of the turn within the launch; the SM is 0. Begin and end records hold the thread's
// first and last turn. Variables and accesses are included as in a GPU's streams; addresses are offsets in
// their space.
//
// A thread's records are in execution order: the point of a turn, then the turn's events.
//  - access: the value is what the lane loaded or stored, or what an atomic found. Values wider than 4 bytes
//    follow in data records of 8 bytes, the last one padded with zeros. The pc is the instruction's.
//  - variable: `extra` is the slot in its frame. The pc is the turn's, or the first pc of the frame's
//    function if the turn belongs to another function. The value is the slot's whole 8 bytes. A variable
//    that loses its value leaves no record.
//  - lane: one for each lane of an exchange; `extra` is the lane from which its value came.
//  - end: only for threads that returned from the kernel.
RecordStreams streams_of(const Trace& trace, std::uint32_t launch);

// Selects a part of the streams.
struct StreamsWanted {
    bool accesses = true;  // includes exchanges
    bool variables = true;
    std::vector<std::uint32_t> blocks = {};        // ascending; empty: all recorded blocks
    std::uint32_t max_records = none;              // per thread; later records are dropped
    const std::atomic<bool>* cancelled = nullptr;  // once it is true, the result is useless
};
RecordStreams streams_of(const Trace& trace, std::uint32_t launch, const StreamsWanted& wanted);

// Returns the number of records of each thread, per slot, without making the streams.
std::vector<std::uint32_t> count_records(const Trace& trace, std::uint32_t launch,
                                         const StreamsWanted& wanted);

// The address of an access of the CPU machine: the space in the high bits, the offset in the low bits.
constexpr unsigned stream_space_shift = 60;
constexpr std::uint64_t stream_address(Space space, std::uint64_t offset) {
    return std::uint64_t{static_cast<std::uint8_t>(space)} << stream_space_shift |
           (offset & ((std::uint64_t{1} << stream_space_shift) - 1));
}
constexpr Space space_of(std::uint64_t stream_address) {
    return static_cast<Space>(stream_address >> stream_space_shift);
}

}  // namespace lanescope::trace
