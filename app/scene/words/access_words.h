// Memory requests, bank conflicts, sectors and metrics in words. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/code.h"
#include "analysis/metrics.h"
#include "session/session.h"
#include "trace/replay.h"

namespace lanescope::scene {

// "s[t + stride]" as a source line writes it.
struct IndexExpression {
    std::string text;
    bool assigned = false;  // an assignment follows it
    bool updated = false;   // a compound assignment, ++ or -- : it is read as well
};
std::vector<IndexExpression> index_expressions(std::string_view line, std::string_view symbol);

// One request of a warp: "load s[t + stride], 8 of 32 lanes".
struct Request {
    const trace::Access* access = nullptr;
    std::string text;
    unsigned cost = 0, ideal = 0;  // wavefronts of shared, sectors of other memory, passes of atomics
    analysis::Addressing addressing = analysis::Addressing::generic;  // of shared memory
    bool texture = false;  // through the texture unit, which has no cost here
    bool remote = false;   // to the shared memory of another block, whose banks are not counted
};

// " of block 1" of an access to the shared memory of another block; otherwise empty.
std::string owner_words(const trace::Launch& launch, const trace::Access& access);

// Returns the requests of some turns of one warp, in their order, without those of local memory. A request
// names its expression when the line leaves no doubt which one it is, else its cells. `code`: of the trace;
// null: no request is one of the texture unit.
std::vector<Request> describe_requests(const trace::Trace& trace, std::uint32_t launch, trace::Mask present,
                                       std::span<const trace::TurnDetail* const> details,
                                       const analysis::Code* code = nullptr);

// What stands in the place of the sectors of a texture's request, and of the banks of a remote one.
extern const char* const texture_verdict;
extern const char* const remote_verdict;

struct AccessVerdict {
    std::string text;
    bool good = true;
};
// Atomics: "32 lanes on one address: 32 passes, one after the other". Else
// "no conflict: 8 words in 8 banks, one wavefront" or "4-way conflict: 32 words in 8 banks, 4 wavefronts"
AccessVerdict bank_verdict(const trace::Access& access,
                           analysis::Addressing addressing = analysis::Addressing::generic);
// "4 sectors, ideal 4"
AccessVerdict sector_verdict(const trace::Access& access);

// A 32-byte segment with a bit per byte that was asked for.
struct Sector {
    std::uint64_t number = 0;  // address / 32
    std::uint32_t bytes = 0;
};
std::vector<Sector> touched_sectors(const trace::Access& access);

struct MetricRow {
    std::string name, step, kernel;  // "–" when there is no number
};
// Stands for numbers of a run that are still to come.
std::string not_counted(const session::Session& session);

std::vector<MetricRow> metric_rows(const analysis::Metrics& step, const analysis::Metrics& kernel);

std::string_view source_line(std::string_view source,
                             std::uint32_t number);  // from 1; empty when there is none

}  // namespace lanescope::scene
