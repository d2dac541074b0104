// What a run writes to the cells of an array, in the order in which it happened, and what it was computed
// from.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/flow/provenance.h"
#include "scene/flow/flow_figure.h"
#include "trace/trace.h"

namespace lanescope::scene {

constexpr std::size_t most_sources = 64;  // of one written cell
constexpr std::size_t most_puts = 40'000;
// Cells of another array that become a row.
constexpr std::size_t most_band = 512, most_matrix_band = 4096;
constexpr std::uint32_t no_put = ~0u;

// Memory whose cells are columns.
struct FlowSegment {
    trace::Space space{};
    std::uint32_t launch = trace::none;
    std::uint64_t begin = 0, end = 0;  // bytes
    std::uint32_t cell_bytes = 1;
    const trace::Symbol* symbol = nullptr;
    std::uint32_t first_input = 0;  // symbol of the trace, for the inputs of global memory
    std::uint64_t columns = 0;      // of the figure; a cell's number wraps at it
};

// Where a value was computed from: an earlier put, or what a column held at the beginning.
struct FlowSource {
    std::uint32_t put = no_put;
    std::uint32_t column = 0;
    analysis::ValueId value = 0;  // without a put: the input
};

struct FlowPut {
    std::uint32_t column = 0, thread = 0, block = 0, launch = 0, phase = 0, part = 0, row = 0;
    analysis::ValueId value = 0;
    std::uint64_t turn = 0, offset = 0;
    std::uint16_t ordinal = 0;
    std::uint8_t width = 0;
    analysis::Operator op = analysis::Operator::store;
    bool initial = false;  // what a cell holds at the beginning, or a lane before an exchange
    bool atomic = false;
    std::uint32_t updates = 1;
    std::vector<std::uint64_t> earlier;  // turns of the updates that became one with it
    std::vector<FlowSource> sources;
    std::vector<analysis::ValueId> inputs;  // of other arrays
    std::vector<analysis::ValueId>
        others;  // of a result: what other blocks wrote to their copies of the array
};

std::size_t band_limit(const trace::Trace& trace, const trace::Symbol& symbol);
std::vector<FlowSegment> segments_of(const trace::Trace& trace, const FlowArray& array, unsigned halves);

// Collects what is written to the columns, in the order in which it happened, and what it was computed from.
class FlowCollector {
  public:
    FlowCollector(const trace::Trace& trace, const analysis::Flow& flow, const FlowWanted& wanted)
        : trace_(trace), graph_(flow.graph), wanted_(wanted) {
        for (const trace::BarrierRelease& release : trace.releases)
            releases_[release.block].push_back(release.turn);
    }

    void memory(const std::vector<FlowSegment>& segments);

    // Operations on what came from another lane of this block.
    void lanes();

    // Makes a row of what the cells hold at the beginning, where something is computed from it. Zeros that
    // the launch found in its own output are nothing.
    void begin_memory(const analysis::Provenance& provenance);

    // What is written to another array, computed from the puts. Atomic updates one after the other count as
    // one.
    std::vector<FlowPut> results(std::uint32_t symbol);

    // Atomic updates of one cell that nothing reads in between become one.
    void merge_updates();

    std::vector<FlowPut>& puts() { return puts_; }
    bool cut() const { return cut_; }

  private:
    std::size_t columns() const;

    static std::uint32_t column(const FlowSegment& segment, std::uint64_t offset);
    FlowPut put_of(const analysis::FlowWrite& write, std::uint32_t at_column) const;
    bool add(FlowPut put);
    std::uint32_t phase_of(const FlowPut& put) const;

    // The number of the exchange whose value the operation takes.
    std::optional<std::uint32_t> received_by(analysis::ValueId id) const;
    std::optional<std::uint32_t> exchange_in(analysis::ValueId id, int depth) const;
    analysis::Operator operator_of(analysis::ValueId store) const;

    void find_sources(FlowPut& put);
    void add_input(analysis::ValueId id, FlowPut& put) const;
    bool add_store(analysis::ValueId id, FlowPut& put) const;
    void insert_first(std::vector<FlowPut> first);
    // What a lane holds, made by it alone or loaded: the number of its put.
    std::uint32_t hold(analysis::ValueId id, std::uint32_t lane, const FlowPut& user);
    void find_origin(analysis::ValueId id, FlowPut& held) const;

    const trace::Trace& trace_;
    const analysis::FlowGraph& graph_;
    FlowWanted wanted_;
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> releases_;
    std::vector<FlowSegment> segments_;
    const trace::Symbol* result_ = nullptr;  // atomic updates of it are followed
    bool lanes_ = false, cut_ = false;
    std::map<std::pair<analysis::ValueId, std::uint32_t>, std::uint32_t> held_;  // by value and lane
    std::vector<FlowPut> puts_;
    std::unordered_map<analysis::ValueId, std::uint32_t> number_;
};

}  // namespace lanescope::scene
