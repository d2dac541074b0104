// Computes the hardware profiler's counts from a trace. Definitions: app/REPORT.md, "Metrics".
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/arrays.h"
#include "analysis/work.h"
#include "trace/replay.h"
#include "trace/steps.h"
#include "trace/trace.h"

namespace lanescope::ptx {
struct Instruction;
}
namespace lanescope::analysis {

struct Metrics {
    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    std::uint64_t branches = 0;            // conditional branches, per warp
    std::uint64_t divergent_branches = 0;  // whose active lanes go both ways
    std::uint64_t global_load_requests = 0, global_load_sectors = 0, global_load_ideal_sectors = 0;
    std::uint64_t global_store_requests = 0, global_store_sectors = 0, global_store_ideal_sectors = 0;
    std::uint64_t global_load_lanes = 0, global_store_lanes = 0;  // loads and stores of single threads
    std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_ideal_wavefronts = 0;
    std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_ideal_wavefronts = 0;
    std::uint64_t shared_load_lanes = 0, shared_store_lanes = 0;
    std::uint64_t shared_conflict_degree =
        0;  // of the worst load or store: words that one bank gives in one pass
    // To the shared memory of another block of the cluster, once for each block that a request reaches. Its
    // wavefronts are not counted: the banks are another multiprocessor's.
    std::uint64_t remote_load_requests = 0, remote_store_requests = 0, remote_atomic_requests = 0;
    std::uint64_t remote_lanes = 0;  // loads, stores and atomic operations of single threads
    std::uint64_t constant_load_requests = 0;
    // Through generic addresses, as debug code does it: hardware counts them as global loads.
    std::uint64_t constant_generic_requests = 0, constant_generic_sectors = 0;
    std::uint64_t local_load_requests = 0, local_store_requests = 0;
    std::uint64_t atomics = 0;  // lane-level atomic operations, global and shared: not loads or stores here
    std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0;
    std::uint64_t shared_atomic_requests = 0, shared_atomic_wavefronts = 0;
    std::uint64_t atomic_passes =
        0;  // one address takes one lane at a time: the most lanes on one, per request
    std::uint64_t atomic_worst = 0;  // the most lanes of a request on one address
    std::uint64_t barriers = 0;      // barrier releases, per block

    OperationCounts operations;       // lane-level; empty where the program's PTX was not asked for
    OperationCounts data_operations;  // of these, arithmetic whose result can reach memory

    double simt_efficiency() const;  // active lanes over 32, averaged over warp instructions; 1 when none
    Metrics& operator+=(const Metrics& other);
};

// The counts by name, in the order in which reports list them.
struct MetricField {
    const char* name;
    std::uint64_t Metrics::*value;
    bool largest = false;  // of several: the largest, not the sum
};
std::span<const MetricField> metric_fields();

struct LineMetrics {
    std::uint32_t line = 0;
    std::uint64_t executions = 0;  // by warps, or parts of one that diverged
    std::uint64_t lanes = 0;       // active lanes summed over executions
    std::uint64_t steps = 0;       // of the warp that executed it most; launches are added
    Metrics metrics;
};

// Instructions [begin, end) that ran one after the other for a line.
struct RanCode {
    std::uint32_t begin = 0, end = 0, line = 0;
    auto operator<=>(const RanCode&) const = default;
};

struct Report {
    Metrics total;
    std::vector<Metrics> launches;
    std::vector<std::vector<ArrayMetrics>> arrays;  // of each launch
    std::vector<LineMetrics> lines;                 // ascending line; only lines that ran
    std::vector<RanCode> ran;                       // ascending
    const LineMetrics* line(std::uint32_t number) const;
};

// The result of a cancelled call is unusable.
Report measure(const trace::Trace& trace, const Code& code, const std::atomic<bool>* cancel = nullptr,
               const std::function<void(float)>& progress = {});

// Every instruction that ran, ascending pc. Barriers are the lines' alone.
struct InstructionMetrics {
    std::uint32_t pc = 0;
    Work::Kind kind;
    Metrics metrics;
};
std::vector<InstructionMetrics> measure_instructions(const trace::Trace& trace, const Code& code);

// The same for some turns of one block, without operations; the Access tab shows it for a step.
Metrics measure_turns(const std::vector<trace::TurnDetail>& details, const trace::Trace& trace);

// Distinct 32-byte segments touched by one request.
unsigned sectors(const trace::Access& access);
unsigned ideal_sectors(
    const trace::Access& access);  // for the distinct bytes asked for, if they were contiguous
struct SectorUse {
    unsigned sectors = 0, ideal = 0;
};
SectorUse sector_use(const trace::Access& access);  // both at once

// How an instruction names shared memory: `ld.shared`, or a generic address, as debug code does it. It
// decides whether a wide load joins passes.
enum class Addressing : std::uint8_t { generic, shared };
Addressing addressing_of(const ptx::Instruction* instruction);  // null: generic

// Passes that one shared-memory request needs: per bank (32 banks of 4 bytes) the number of distinct words,
// the maximum over banks; 8-byte accesses by half warps, 16-byte accesses by quarter warps.
struct BankUse {
    unsigned wavefronts = 0;
    unsigned ideal = 0;                     // passes without any conflict
    unsigned degree = 0;                    // words that the worst bank gives in one pass: "2-way" …
    std::array<std::uint8_t, 32> words{};   // distinct words per bank in the worst pass
    std::array<std::uint32_t, 32> lanes{};  // mask of the lanes that touch each bank, in any pass
};
BankUse banks(const trace::Access& access, Addressing addressing = Addressing::generic);

// The cost of one atomic request, as an H200 counts it. An address serves one lane at a time, so that lanes
// at one address wait for each other; a sector takes as long as its busiest address; a shared-memory bank
// serves one lane at a time.
struct AtomicUse {
    unsigned passes = 0;      // the most lanes on one address
    unsigned sectors = 0;     // of global memory
    unsigned wavefronts = 0;  // of shared memory, for operations with one operand
};
AtomicUse atomic_use(const trace::Access& access);

// Active lanes over 32 for the lanes-on curve: per step, averaged over the turns of its block.
std::vector<float> lanes_on(const trace::Trace& trace, const std::vector<trace::Step>& steps);

}  // namespace lanescope::analysis
