// Counts what the hardware profiler counts, from a trace alone. Definitions: app/README.md, "Metrics".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/replay.h"
#include "trace/steps.h"
#include "trace/trace.h"

namespace lanescope::analysis {

struct Metrics {
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    std::uint64_t branches = 0;               // conditional branches, per warp
    std::uint64_t divergent_branches = 0;     // whose active lanes go both ways
    std::uint64_t global_load_requests = 0, global_load_sectors = 0, global_load_ideal_sectors = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0, global_store_ideal_sectors = 0;
    std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0;
    std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0;
    std::uint64_t atomics = 0;                // lane-level atomic operations, global and shared: not loads or stores here
    std::uint64_t barriers = 0;               // barrier releases, per block

    double simt_efficiency() const;           // active lanes over 32, averaged over warp instructions; 1 when none
    Metrics& operator+=(const Metrics& other);
};

struct LineMetrics {
    std::uint32_t line = 0;
    std::uint64_t executions = 0;             // turns
    std::uint64_t lanes = 0;                  // active lanes summed over executions
    Metrics metrics;
};

struct Report {
    Metrics total;
    std::vector<Metrics> launches;
    std::vector<LineMetrics> lines;           // ascending line; only lines that ran
    const LineMetrics* line(std::uint32_t number) const;
};

Report measure(const trace::Trace& trace);

// The same for some turns of one block: what the access view shows for a step.
Metrics measure_turns(const std::vector<trace::TurnDetail>& details, const trace::Trace& trace);

// Distinct 32-byte segments touched by one request.
unsigned sectors(const trace::Access& access);
unsigned ideal_sectors(const trace::Access& access);      // for the distinct bytes asked for, if they were contiguous
struct SectorUse {
    unsigned sectors = 0, ideal = 0;
};
SectorUse sector_use(const trace::Access& access);        // both at once

// Passes that one shared-memory request needs: per bank (32 banks of 4 bytes) the number of distinct words, the maximum
// over banks; 8-byte accesses by half warps, 16-byte accesses by quarter warps.
struct BankUse {
    unsigned wavefronts = 0;
    std::array<std::uint8_t, 32> words{};     // distinct words per bank in the worst pass
    std::array<std::uint32_t, 32> lanes{};    // mask of the lanes that touch each bank, in any pass
};
BankUse banks(const trace::Access& access);

// Active lanes over 32 for the lanes-on curve: per step, averaged over the turns of its block.
std::vector<float> lanes_on(const trace::Trace& trace, const std::vector<trace::Step>& steps);

}  // namespace lanescope::analysis
