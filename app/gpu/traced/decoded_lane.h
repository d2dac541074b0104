// One thread of a recorded launch while it is decoded: its place in its stream, its call frames and
// variables.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/traced/memory_image.h"
#include "simt/program/program.h"
#include "trace/streams.h"

namespace lanescope::gpu {

using trace::each_lane;

struct LaneFrame {
    std::uint32_t function = 0, return_pc = 0;
    std::uint32_t call_line = 0;  // of the caller's step
    std::uint32_t local_base = 0, local_end = 0;
    std::vector<std::pair<std::uint64_t, std::uint32_t>>
        locals;  // address on the GPU, offset from local_base
    // What simt::FrameVariables holds, for one lane.
    std::vector<std::uint64_t> bits, registers;
    std::vector<bool> set, homes, written;

    void reset(const simt::DecodedFunction& described);
};

struct Lane {
    std::uint32_t slot = 0;
    std::uint32_t next = 0, count = 0;  // records
    bool live = false, waits = false;
    std::uint32_t cluster_phase = 0;  // of the cluster's barrier, at which it arrived last
    std::uint32_t pc = 0, line = 0;
    std::uint32_t stopped =
        trace::none;  // the pc of the access behind the last record of a stream without end
    std::uint32_t outside = trace::none;  // the pc of its first access outside of all memory that is known
    std::uint64_t outside_address = 0, outside_turn = 0;
    static constexpr std::uint64_t no_turn = ~0ull;
    std::uint64_t turn = no_turn;  // its last, in the launch
    bool left = false;             // it ran to its end
    std::int64_t time = 0;         // of the last or next point, on the clock that all SMs share
    std::int64_t clock_offset = 0;
    std::vector<LaneFrame> frames;
    std::unique_ptr<MemoryImage> local;

    LaneFrame& frame() { return frames.back(); }
    const trace::Record* peek(const trace::RecordStreams& streams, std::uint32_t ahead = 0) const {
        return next + ahead < count ? &streams.at(slot, next + ahead) : nullptr;
    }
    // The next record, when it is of this kind and place.
    const trace::Record* take(const trace::RecordStreams& streams, trace::RecordKind kind, std::uint32_t at) {
        const trace::Record* record = peek(streams);
        if (record == nullptr || record->head != trace::record_head(kind, at)) return nullptr;
        ++next;
        return record;
    }
    MemoryImage& local_memory() {
        if (local == nullptr) local = std::make_unique<MemoryImage>();
        return *local;
    }
};

}  // namespace lanescope::gpu
