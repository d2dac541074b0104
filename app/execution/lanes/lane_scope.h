// What the names of lane expressions mean for one lane at the position of a replay.
#pragma once

#include <vector>

#include "execution/lanes/lane_expression.h"
#include "trace/replay.h"

namespace lanescope::execution {

struct LanePlace {
    std::uint32_t launch = 0, block = 0, warp = 0, lane = 0;
    std::uint32_t pc = 0;  // of the instruction at which the lane is, for scopes
    std::uint32_t thread() const { return warp * trace::warp_size + lane; }
};

class LaneScope {
  public:
    // `step`: the turns of the step, for changed(); may be null. All arguments outlive the scope.
    LaneScope(const trace::Trace& trace, const trace::Replay& replay, const LanePlace& place,
              const std::vector<trace::TurnDetail>* step = nullptr)
        : trace_(trace), replay_(replay), place_(place), step_(step) {}

    LaneOutcome find(const std::string& name, int column) const;
    // The bytes of a scalar, a structure or an array; nothing when one of them has no value.
    std::optional<std::vector<std::byte>> read(const LaneObject& object, std::uint64_t size_bytes) const;
    // The object at this address; nothing when the address is not in the program's memory.
    std::optional<LaneObject> at_address(std::uint64_t address, TypeId type) const;
    const TypeTable& types() const { return trace_.program.types; }
    bool changed() const { return changed_; }  // the step wrote something that was read

  private:
    const trace::Variable* find_variable(const std::string& name, std::uint32_t& depth) const;
    std::optional<Number> thread_number(const std::string& name) const;
    const trace::Symbol* find_symbol(const std::string& name) const;
    LaneObject object_of(const trace::Symbol& symbol) const;
    void note_slot(std::uint32_t depth, std::uint32_t slot) const;
    void note_memory(trace::Space space, std::uint64_t offset, std::uint64_t size) const;

    const trace::Trace& trace_;
    const trace::Replay& replay_;
    LanePlace place_;
    const std::vector<trace::TurnDetail>* step_;
    mutable bool changed_ = false;
};

// The outcome as text and number; `changed` from the scope.
struct LaneText {
    bool set = false;
    std::string text, failure;
    double number = 0;
};
LaneText text_of(const LaneOutcome& outcome, const LaneScope& scope);
// Whether a condition is met: by a number that is not zero or a pointer that is not null. A failure does not
// meet it.
bool is_true(const LaneOutcome& outcome, const LaneScope& scope);

// Returns the number that a scalar object holds; returns other objects and failures unchanged.
LaneOutcome loaded(LaneOutcome outcome, const LaneScope& scope, int column);

}  // namespace lanescope::execution
