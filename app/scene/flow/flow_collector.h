// What a run writes to the cells of an array, in the order in which it happened, and what it was computed
// from.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/flow/flow.h"
#include "scene/flow/flow_figure.h"
#include "trace/trace.h"

namespace lanescope::scene {

constexpr std::size_t most_sources = 64;  // of one written cell
constexpr std::size_t most_puts = 40'000;
constexpr std::size_t most_band = 512;  // cells of another array
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
};

struct FlowPut {
    std::uint32_t column = 0, thread = 0, block = 0, launch = 0, phase = 0, part = 0, row = 0;
    analysis::ValueId value = 0;
    std::uint64_t turn = 0, offset = 0;
    std::uint16_t ordinal = 0;
    std::uint8_t width = 0;
    analysis::Operator op = analysis::Operator::store;
    bool initial = false;  // what a lane held before the first exchange
    bool atomic = false;
    std::uint32_t updates = 1;
    std::vector<FlowSource> sources;
    std::vector<analysis::ValueId> inputs;  // of other arrays
};

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

    // What is written to another array, computed from the puts.
    std::vector<FlowPut> results(std::uint32_t symbol);

    // Atomic updates of one cell that nothing reads in between become one.
    void merge_updates();

    std::vector<FlowPut>& puts() { return puts_; }
    bool cut() const { return cut_; }

  private:
    std::size_t columns() const;

    static std::uint32_t column(const FlowSegment& segment, std::uint64_t offset);

    bool add(const analysis::FlowWrite& write, std::uint32_t at_column);

    std::uint32_t phase_of(const FlowPut& put) const;

    // The number of the exchange whose value the operation takes.
    std::optional<std::uint32_t> received_by(analysis::ValueId id) const;
    std::optional<std::uint32_t> exchange_in(analysis::ValueId id, int depth) const;

    analysis::Operator operator_of(analysis::ValueId store) const;

    void find_sources(FlowPut& put);

    void add_input(analysis::ValueId id, std::uint32_t lane, FlowPut& put);

    // Lanes have no memory: what they hold at first becomes a row of its own.
    void begin_lanes();

    const trace::Trace& trace_;
    const analysis::FlowGraph& graph_;
    FlowWanted wanted_;
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> releases_;
    std::vector<FlowSegment> segments_;
    bool lanes_ = false, cut_ = false;
    std::vector<FlowPut> puts_;
    std::unordered_map<analysis::ValueId, std::uint32_t> number_;
};

}  // namespace lanescope::scene
