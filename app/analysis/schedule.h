// The schedule of a launch on a GPU: which multiprocessor ran which block, and when, by the GPU's own clocks.
// Made from the streams of a GPU; the CPU machine has neither multiprocessors nor a clock.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/streams.h"

namespace lanescope::analysis {

// Nanoseconds since the launch's first thread began.
struct Span {
    double begin_ns = 0, end_ns = 0;
    double length_ns() const { return end_ns - begin_ns; }
    bool operator==(const Span&) const = default;
};

struct ScheduledBlock {
    std::uint32_t block = 0;
    std::uint32_t sm = 0;
    std::uint32_t lane = 0;   // among the blocks that the SM runs at once
    std::uint32_t wave = 0;   // how many blocks ran in this lane before
    Span span;                // from the first thread's begin to the last one's end
    bool ended = true;        // false: the end of a thread is not recorded; `span` ends with the last that is
    std::vector<Span> waits;  // at barriers: from the first warp's arrival to the last one's
};

struct ScheduledSm {
    std::uint32_t sm = 0;
    std::uint32_t lanes = 0;            // blocks at once, at most
    std::vector<std::uint32_t> blocks;  // into Schedule::blocks, by lane, then by time
    double last_end_ns = 0;
};

struct Schedule {
    std::vector<ScheduledBlock> blocks;  // by SM, lane and time
    std::vector<ScheduledSm> sms;        // ascending
    double length_ns = 0;
    bool whole = false;                // it has every block of the grid; otherwise the figures below are 0
    std::uint32_t blocks_per_sm = 0;   // at once, at most
    std::uint32_t blocks_at_once = 0;  // on all SMs together, at most
    double waves = 0;                  // blocks over blocks at once
    double tail_begin_ns = 0;          // from then on an SM has nothing left to do
    double tail_share = 0;             // of the launch's time
    double idle_in_tail = 0;           // of the SMs' time in the tail

    double cycles_per_ns = 0;  // of the SMs' clocks; 0 when it cannot be told
    // Per SM number: what its clock would have shown when the launch began. Points lie at clock - offset.
    std::vector<std::uint64_t> clock_offsets;
};

// `barriers`: by pc, as barrier_points() gives it. Blocks of which no thread began are left out.
// `grid_blocks`: of the launch, recorded or not.
Schedule schedule_of(const trace::RecordStreams& streams, const std::vector<bool>& barriers,
                     std::uint64_t grid_blocks);

// The same from blocks that are known by block, SM, span and waits, as of a recording; without clocks.
Schedule schedule_of_blocks(std::vector<ScheduledBlock> blocks, std::uint64_t grid_blocks);

}  // namespace lanescope::analysis
