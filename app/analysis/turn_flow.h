// Finds which loads of a turn feed which of its stores: follows values through registers along the executed
// instructions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "trace/replay.h"

namespace lanescope::analysis {

class Code;

class TurnFlow {
  public:
    // The program outlives this. Its PTX is parsed once, when a turn is first asked for.
    explicit TurnFlow(const trace::Program& program);
    ~TurnFlow();
    TurnFlow(TurnFlow&&) noexcept;
    TurnFlow& operator=(TurnFlow&&) noexcept;

    // By the ordinal of a store or an atomic operation: the ordinals of the loads, and atomics, from which
    // its value or its address comes. A load's own address does not count as a source of what it gives, nor
    // does the predicate that guards an instruction. Empty when the trace holds no PTX.
    using Sources = std::map<std::uint16_t, std::vector<std::uint16_t>>;
    Sources sources(const trace::Turn& turn, const trace::TurnDetail& detail);

    // What chose the place of an atomic operation: the bytes that a lane loaded in this turn or an earlier
    // one and from which the operation's address comes, as a letter chooses its bin. Found by running the
    // registers of the lane's last turns forwards; what lies further back is not found.
    struct Chosen {
        std::uint16_t ordinal = 0;  // of the atomic operation
        unsigned lane = 0;
        trace::Space space{};
        std::uint64_t offset = 0;
        std::uint32_t width_bytes = 0;
    };
    std::vector<Chosen> chosen_places(const trace::Trace& trace, const trace::TurnDetail& detail);

  private:
    const trace::Program* program_;
    std::unique_ptr<const Code> code_;
};

}  // namespace lanescope::analysis
