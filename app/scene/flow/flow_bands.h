// Rows of other arrays: above what the array is loaded from, below what is made of it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "scene/flow/flow_collector.h"
#include "scene/flow/flow_maker.h"

namespace lanescope::scene {

class FlowBands {
  public:
    FlowBands(const trace::Trace& trace, const analysis::Flow& flow, FlowFigure& figure)
        : trace_(trace), flow_(flow), figure_(figure) {}

    // What other blocks have in their copies of the array, of which the results are made too. Before below().
    void other_blocks(const std::vector<FlowPut>& results, const FlowSegment& segment,
                      const FlowMaker& maker);
    void below(std::uint32_t symbol, const std::vector<FlowPut>& results, const std::vector<FlowPut>& by_time,
               const std::vector<std::uint32_t>& gone);

    void above(const std::vector<FlowPut>& puts);

  private:
    using Users = std::map<std::uint64_t, std::vector<const FlowPut*>>;

    FlowCell cell_of_other(analysis::ValueId id, std::uint32_t column, const FlowSegment& segment,
                           const FlowMaker& maker, trace::Replay& replay) const;
    void add_above(std::uint32_t symbol, const Users& cells);

    // Edges stay in the order of their ends.
    void add_edges_from(const Users& cells);

    // The values of the array before or after the run, and what they are made of.
    void describe(FlowRow& row, std::uint32_t symbol, std::uint64_t position) const;

    float shift_inside(const FlowRow& row, double wanted) const;
    void widen(const FlowRow& row);

    const trace::Trace& trace_;
    const analysis::Flow& flow_;
    FlowFigure& figure_;
    std::map<analysis::ValueId, std::pair<std::uint32_t, std::uint32_t>> other_;  // value: row, column
    std::size_t hidden_blocks_ = 0;
    std::uint32_t added_ = 0;
};

}  // namespace lanescope::scene
