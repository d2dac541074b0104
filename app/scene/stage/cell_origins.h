// The place that the value of a cell came from, for its colour: one input cell, or a range of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "analysis/flow/held_values.h"
#include "analysis/flow/sources.h"
#include "scene/stage/step_scene.h"
#include "scene/words/cell_text.h"
#include "trace/steps.h"

namespace lanescope::scene {

// A place in an array, each direction from 0 (first) to 1 (last). Vectors lie in the middle of their rows.
struct InputPlace {
    float column = 0, row = 0;
    bool operator==(const InputPlace&) const = default;
};

struct CellOrigin {
    enum class Kind : std::uint8_t {
        none,     // made of constants and indices only, or not set
        unknown,  // from outside of the trace, or after the flow was cut
        one,      // one input: a copy of it, or computed from it alone
        several,  // from `first` to `last`
    };
    Kind kind = Kind::none;
    InputPlace first, last;
    bool operator==(const CellOrigin&) const = default;
};

// The values of a run over time and the inputs that they came from; made in a job, then only read.
class OriginIndex {
  public:
    OriginIndex(std::shared_ptr<const trace::Trace> trace, std::shared_ptr<const analysis::Flow> flow);

    const trace::Trace& trace() const { return *trace_; }
    const analysis::Flow& flow() const { return *flow_; }
    const analysis::HeldValues& held() const { return held_; }
    bool is_blank(analysis::ValueId value) const {  // what an array held that was all zeros, or unset
        return flow_->graph.is_input(value) && !ranges_.of(value).any();
    }
    bool only_copies() const { return only_copies_; }

    // What a cell of global or constant memory held before the first turn; `constant` for other memory.
    analysis::ValueId first_value(const StageArray& array, std::uint64_t cell) const;

    // Origins of the cells [first, first + out.size()) of an array of a block, after the turns before `turn`.
    // `arrays`: those of the stage; they say how inputs are laid out.
    void read(std::span<const StageArray> arrays, const StageArray& array, const trace::Step& place,
              std::uint64_t turn, std::uint64_t first, std::span<CellOrigin> out) const;

  private:
    InputPlace place_of(std::span<const StageArray> arrays, analysis::ValueId input) const;

    std::shared_ptr<const trace::Trace> trace_;
    std::shared_ptr<const analysis::Flow> flow_;
    analysis::HeldValues held_;
    analysis::InputRanges ranges_;
    std::map<const trace::Symbol*, analysis::ValueId> first_inputs_;  // of the cells of each symbol
    bool only_copies_;
};

// The cells of an array of the stage as the flow addresses them.
analysis::HeldRange held_range(const StageArray& array, const trace::Step& place, std::uint64_t first,
                               std::uint64_t count);

}  // namespace lanescope::scene
