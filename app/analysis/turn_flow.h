// Which loads of a turn feed which of its stores: values followed through registers along the instructions
// that ran.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/replay.h"

namespace lanescope::analysis {

class TurnFlow {
  public:
    explicit TurnFlow(const trace::Program& program);

    // By the ordinal of a store or an atomic operation: the ordinals of the loads, and atomics, from which
    // its value or its address comes. A load's own address counts as no source of what it gives.
    using Sources = std::map<std::uint16_t, std::vector<std::uint16_t>>;
    Sources sources(const trace::Turn& turn, const trace::TurnDetail& detail);

  private:
    struct Instruction {
        std::vector<std::string_view> written, read;
    };
    const Instruction& instruction(std::uint32_t pc);

    const trace::Program& program_;
    std::vector<std::size_t> lines_;  // where each line of the PTX begins
    std::map<std::uint32_t, Instruction> known_;
};

}  // namespace lanescope::analysis
