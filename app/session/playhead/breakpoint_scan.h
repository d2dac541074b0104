// Searches for the next or the previous turn at which a breakpoint stops, a slice of time at a time. Only
// turns whose line has a breakpoint cost more than a look; breakpoints on cells decode the accesses of every
// turn. Conditions are evaluated in the lanes that ran the line, with the values that the views show: those
// after the line, or before it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "execution/lanes/lane_expression.h"
#include "session/playhead/breakpoints.h"
#include "session/playhead/named_cell.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::session {

class BreakpointScan {
  public:
    struct Request {
        std::vector<Breakpoint> breakpoints;  // skips disabled ones and those with wrong conditions
        std::uint32_t focus_block = 0;
        // The turns to search: [first, end), from the end when going back.
        std::uint64_t first = 0, end = 0;
        bool back = false;
        bool before = false;  // conditions have the values before the line
    };
    BreakpointScan(std::shared_ptr<const trace::Trace> trace, Request request);

    enum class Progress : std::uint8_t { going_on, found, nothing };
    Progress run(std::chrono::microseconds budget);
    float share() const;  // 0 … 1 of the turns

    // Returns the hit, with the lanes that met the condition in any turn of `step`, which holds it.
    BreakHit hit(const trace::Step& step);
    std::uint64_t found_turn() const { return at_; }

  private:
    struct Stop {
        std::uint32_t line = 0;
        bool any_block = false;  // its condition names blockIdx: every recorded block is searched
        std::optional<execution::LaneExpression> condition;
    };
    struct CellStop {
        std::string name;
        NamedCell cell;
        bool shared = false;  // only the focus block's cell
    };
    void add(const Breakpoint& breakpoint);
    const Stop* stop_at(const trace::Turn& turn) const;
    const CellStop* cell_stop_at(std::uint64_t turn, std::uint32_t launch);
    trace::Mask writers(const CellStop& stop, std::uint64_t turn, std::uint32_t launch);
    bool is_near(std::uint64_t turn);
    trace::Mask lanes_that_stop(const Stop& stop, std::uint64_t turn);

    std::shared_ptr<const trace::Trace> trace_;
    Request request_;
    std::vector<Stop> stops_;
    std::vector<CellStop> cells_;
    trace::TurnDetail detail_;
    std::vector<bool> lines_;                // the lines that have a stop
    std::unique_ptr<trace::Replay> replay_;  // made for the first condition
    std::uint64_t at_ = 0, looked_at_ = 0;
};

// Returns the breakpoints after an edit: lines before and after the changed part keep theirs.
std::vector<Breakpoint> after_edit(std::vector<Breakpoint> breakpoints, const std::string& before,
                                   const std::string& after);

}  // namespace lanescope::session
