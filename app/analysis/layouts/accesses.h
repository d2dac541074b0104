// Requests to shared memory, and how the banks serve them.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/bank_passes.h"
#include "analysis/code.h"
#include "analysis/metrics.h"
#include "trace/replay.h"
#include "trace/trace.h"

namespace lanescope::analysis {

// Into Launch::shared: the array that holds this byte of a block's shared memory; trace::none: no array.
std::uint32_t shared_array_at(const trace::Launch& launch, std::uint64_t offset);

// One request of one warp.
struct SharedRequest {
    std::uint64_t turn = 0;
    std::uint32_t launch = 0, block = 0, line = 0;
    std::uint16_t warp = 0;
    std::string instruction;             // "ldmatrix.x4"; empty: the trace has no PTX
    std::uint32_t symbol = trace::none;  // into Launch::shared: the array of its first lane
    trace::Access access;                // without values
    std::vector<BankPass> passes;        // none: an atomic operation, or another block's memory

    unsigned wavefronts() const;
    unsigned ways() const;  // of its worst pass
};

// All requests of one line to one array by one kind of instruction.
struct SharedRequests {
    std::uint32_t launch = 0, line = 0, symbol = trace::none;
    std::uint64_t requests = 0, wavefronts = 0, ideal = 0;
    SharedRequest worst;  // of those with the most wavefronts, the first
};

// Those of a step, in the order in which they ran.
std::vector<SharedRequest> shared_requests(const trace::Trace& trace, const Code& code,
                                           const std::vector<trace::TurnDetail>& details);

struct RequestSummary {
    std::vector<SharedRequests> instructions;  // by launch, line, array and instruction
    bool complete = true;                      // all requests of the run were looked at
};
RequestSummary sum_shared_requests(const trace::Trace& trace, const Code& code,
                                   const std::atomic<bool>* cancelled = nullptr);

// The opcode with what it says about shape and width: "ld.shared.v4.f32".
std::string instruction_name(const Code& code, std::uint32_t pc);

}  // namespace lanescope::analysis
