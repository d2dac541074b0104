// The inputs that each value of a run came from, in short: the first and the last of them.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/flow/flow.h"

namespace lanescope::analysis {

// Inputs of one symbol, where a value has inputs of several symbols: of the largest that is not constant
// memory.
struct InputRange {
    ValueId first = FlowGraph::constant;  // an input; `constant`: no input; `outside`: not known
    ValueId last = FlowGraph::constant;
    bool known() const { return first != FlowGraph::outside; }
    bool any() const { return first >= FlowGraph::first_input; }
    bool operator==(const InputRange&) const = default;
};

class InputRanges {
  public:
    // Ranges of all values. Both outlive this. Zeros that a launch found in its own output do not count.
    InputRanges(const trace::Trace& trace, const Flow& flow);

    InputRange of(ValueId value) const;
    // Returns the range of the inputs of both.
    InputRange join(const InputRange& a, const InputRange& b) const;

  private:
    std::uint32_t rank(ValueId input) const;

    const FlowGraph& graph_;
    std::vector<bool> blank_;          // by symbol
    std::vector<std::uint32_t> rank_;  // by symbol; the highest one gives the colour
    std::vector<InputRange> ranges_;   // by node
};

// Whether the kernels only move data: each value that they store in global memory is a copy of an input.
bool only_copies(const Flow& flow);

}  // namespace lanescope::analysis
