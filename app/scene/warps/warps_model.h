// What the warps of the focus block show in a step: a value and a colour for each lane, exchanges between
// lanes.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "scene/stage/stage_arrows.h"
#include "scene/warps/warps_layout.h"
#include "scene/words/cell_text.h"
#include "session/session.h"

namespace lanescope::scene {

struct ShownWarp {
    WarpSummary summary;
    std::string sentence;
    std::array<session::LaneValue, trace::warp_size> values;
    std::array<session::LaneValue, trace::warp_size> colours;  // not set: the colour is that of the state
    ArrowSet exchanges;
};

class WarpsModel {
  public:
    // Drops what is not up to date. `colour`: an expression whose value colours the lanes; empty: their
    // state. False: there is nothing to show.
    bool update(const session::Session& session, const std::string& colour);
    // Prepares a warp that comes into sight, once per step. Prepared warps widen the range of values.
    void prepare(const session::Session& session, std::uint32_t warp);

    std::uint32_t count() const { return static_cast<std::uint32_t>(warps_.size()); }
    const ShownWarp& warp(std::uint32_t number) const { return warps_[number].shown; }
    int widest() const { return widest_; }                 // characters of the values of the prepared warps
    bool has_exchanges() const { return has_exchanges_; }  // somewhere in this run's block
    const std::vector<std::uint32_t>& touching() const {
        return touching_;
    }  // threads that touch the hovered cell

    // 0 … 1 between the least and the greatest value of the step; negative: the colour is that of the state.
    float colour_share(std::uint32_t warp, std::uint32_t lane) const;
    // Everything that has a value in every lane: watches first, then variables.
    std::vector<std::string> lane_values(const session::Session& session) const;
    // Why the lane is in its state, and the values that it shows.
    std::string lane_story(const session::Session& session, std::uint32_t warp, std::uint32_t lane) const;

  private:
    struct Entry {
        bool ready = false;
        ShownWarp shown;
    };
    bool block_exchanges(const session::Session& session) const;

    std::uint64_t generation_ = ~0ull, first_turn_ = 0, end_turn_ = 0;
    std::size_t instruction_ = 0;
    std::uint32_t launch_ = ~0u, block_ = ~0u;
    std::string label_, colour_;
    bool concealed_ = false;  // what the step changed is shown as "?"
    bool before_ = false;     // values are those before the step
    std::vector<session::NamedVariable> variables_;
    std::vector<Entry> warps_;
    NumberRange range_;  // of the values that are colours in this step
    int widest_ = 1;
    bool has_exchanges_ = false;
    std::vector<std::uint32_t> touching_;
};

// Returns the threads of the block that touch a cell in the step, ascending.
std::vector<std::uint32_t> threads_touching(const trace::Trace& trace, const session::StepState& step_state,
                                            const std::string& symbol, std::uint64_t index);
// Returns arrows for values that move between the lanes of one warp; a lane that feeds many others gets one
// arrow.
ArrowSet exchange_arrows(const trace::Trace& trace, std::span<const trace::TurnDetail> details,
                         std::uint32_t warp);

}  // namespace lanescope::scene
