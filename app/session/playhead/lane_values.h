// Variables and expressions over the lanes of the focus block, at the position of a playhead.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "execution/lanes/lane_expression.h"
#include "session/playhead/playhead.h"

namespace lanescope::session {

// A variable that the warps and variables views can show.
struct NamedVariable {
    std::string name;
    std::string type;
    bool per_lane = true;  // false: one value for the block (shared scalars)
};

struct LaneValue {
    bool visible = false;  // the name is in scope where the lane is
    bool set = false;
    std::string text;      // "24"; "not set" is shown by the view
    double number = 0;     // for colour scales
    bool changed = false;  // in this step
    std::string
        before;  // of a changed or hidden value: what it was before the step; empty: the same, or not set
    std::string failure;  // of an expression: "division by zero"
    bool hidden = false;  // depends on what the step wrote, which is still hidden: the text is "?"
};

class LaneValues {
  public:
    explicit LaneValues(const Playhead& playhead) : playhead_(playhead) {}

    // The variables of the kernel, then those of the function that this thread of the focus block is in.
    std::vector<NamedVariable> variables(std::uint32_t warp, std::uint32_t lane) const;
    // The value of a variable, or of any lane expression ("s[t] + s[t + stride]"), in one lane at the
    // position.
    LaneValue value(const std::string& expression, std::uint32_t warp, std::uint32_t lane) const;
    // The same for all lanes of a warp, with the values before a step of a few thousand turns.
    std::array<LaneValue, trace::warp_size> values(const std::string& expression, std::uint32_t warp) const;
    // "s[14]": the cell of an array that the expression "s[t]" names in this lane; empty for other
    // expressions.
    std::string cell(const std::string& expression, std::uint32_t warp, std::uint32_t lane) const;
    // Why an expression cannot be evaluated here, with its column; empty when it can.
    Diagnostics problems(const std::string& expression) const;
    // The best label of lanes in this run, before a person chooses one; may be empty.
    std::string default_label() const;

  private:
    const Result<execution::LaneExpression>& parsed(const std::string& text) const;

    const Playhead& playhead_;
    mutable std::map<std::string, Result<execution::LaneExpression>>
        expressions_;  // by text: parsing is pure
};

}  // namespace lanescope::session
