// Makes the cells, edges and words of a figure from what was collected.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "scene/flow/flow_collector.h"
#include "trace/replay.h"

namespace lanescope::scene {

// The inputs of a value, short: "0–9", "3,7", "12 in".
std::string range_text(const analysis::FlowGraph& graph, const std::vector<analysis::ValueId>& inputs);

// Where the middle of the inputs lies in their array.
void mark_origin(FlowCell& cell, const trace::Trace& trace, const analysis::FlowGraph& graph,
                 const std::vector<analysis::ValueId>& inputs);

class FlowMaker {
  public:
    FlowMaker(std::shared_ptr<const trace::Trace> trace, const analysis::Flow& flow, const FlowWanted& wanted,
              const std::atomic<bool>* cancelled)
        : trace_(std::move(trace)), flow_(flow), wanted_(wanted), cancelled_(cancelled) {}

    void fill(FlowFigure& figure, std::vector<FlowPut>& puts, std::uint32_t rows);

    void find_edges(FlowFigure& figure, const std::vector<FlowPut>& by_time,
                    const std::vector<FlowPut>& sorted);

    const std::vector<std::uint32_t>& gone_rows() const { return gone_; }

    void write_values(FlowFigure& figure, const std::vector<FlowPut>& sorted,
                      const std::vector<FlowSegment>& segments);

    // The value of the variable that the lanes exchange, where the code has one.
    void write_lane_values(FlowFigure& figure, const std::vector<FlowPut>& by_time) const;
    // Counts the active lanes and the conflicts of each row.
    void write_facts(FlowFigure& figure) const;
    // The value that a put wrote; empty: not known. `detail`: of its turn, with values.
    std::string value_text(const FlowPut& put, const trace::TurnDetail& detail,
                           const std::vector<FlowSegment>& segments) const;

  private:
    void add_cell(FlowFigure& figure, const FlowPut& put) const;

    void describe(FlowRow& row) const;
    // Lanes on and conflicts, from the turns that wrote the row.
    void read_turns(FlowRow& row, const FlowArray& array) const;

    // By a variable that changes from phase to phase, or by the line.
    void name_rows(FlowFigure& figure) const;
    std::string phase_name(const FlowRow& row) const;  // of FlowWanted::named; empty: none

    void mark_used(FlowFigure& figure) const;

    void find_ranges(FlowFigure& figure) const;

    void write_input(FlowFigure& figure, const FlowPut& put, trace::Replay& replay) const;

    std::shared_ptr<const trace::Trace> trace_;
    const analysis::Flow& flow_;
    const FlowWanted& wanted_;
    const std::atomic<bool>* cancelled_;
    std::vector<std::uint32_t> gone_;  // by put: the row in which its value is replaced
};

}  // namespace lanescope::scene
