// The warps of the focus block: 32 lanes each, in the columns of the stage, with state, mask and any
// variable's value.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "scene/cell_text.h"
#include "scene/stage_arrows.h"
#include "scene/warps_layout.h"
#include "ui/kit/view.h"

namespace lanescope::ui {

class WarpsView : public View {
  public:
    WarpsView() : View("warps") {}

  protected:
    std::string title(const session::Session&) const override { return "Warps"; }
    void tools(Heading& heading, const session::Session& session, const WindowState& shared,
               Requests& requests) override;
    ImU32 surface() const override { return theme().background; }
    void content(const Rect& inside, const session::Session& session, const WindowState& shared,
                 Requests& requests) override;

  private:
    // One warp, prepared when it comes into sight.
    struct Prepared {
        bool ready = false;
        WarpSummary summary;
        std::string sentence;
        std::array<session::LaneValue, trace::warp_size> values;
        std::array<session::LaneValue, trace::warp_size> colours;  // when they are no states
        ArrowSet exchanges;
    };
    struct Picture;  // warps_view.cpp

    std::vector<std::string> lane_values(const session::Session& session) const;
    void choose_colour(Heading& heading, const session::Session& session, const WindowState& shared,
                       Requests& requests);
    void choose_label(Heading& heading, const session::Session& session, const WindowState& shared,
                      Requests& requests);
    void tell_lane(const Picture& picture, std::uint32_t warp, std::uint32_t lane) const;
    void forget_when_moved(const session::Session& session, const WindowState& shared);
    void prepare(const session::Session& session, std::uint32_t warp);
    bool block_exchanges(const session::Session& session) const;
    void choose_block(Heading& heading, const session::Session& session, const WindowState& shared,
                      Requests& requests);
    void navigate(const Rect& inside, const WindowState& shared);
    void draw_row(const Picture& picture, const WarpRow& row);
    void draw_names(const Picture& picture, const WarpRow& row, const Prepared& warp);
    void draw_lane(const Picture& picture, const WarpRow& row, const Prepared& warp, unsigned lane);
    void draw_exchanges(const Picture& picture, const WarpRow& row, const Prepared& warp);
    void draw_frames(const Picture& picture, const WarpRow& row);
    void interact(const Picture& picture, const session::Session& session, Requests& requests);

    std::uint64_t generation_ = ~0ull, first_turn_ = 0, end_turn_ = 0;
    std::size_t instruction_ = 0;
    std::uint32_t launch_ = ~0u, block_ = ~0u;
    std::string label_;
    bool concealed_ = false;  // what the step changed is shown as "?"
    std::vector<session::NamedVariable> variables_;
    std::vector<Prepared> warps_;
    WarpsLayout layout_;
    NumberRange range_;           // of the values that are colours in this step
    std::string colour_;          // the expression whose value is the colour; empty: the state
    int widest_ = 1;              // characters of its values
    bool has_exchanges_ = false;  // somewhere in this run's block
    bool hovering_ = false;
    float scroll_ = 0;
    std::vector<std::uint32_t> touching_;  // threads that touch the hovered cell in this step
};

// Threads of the block that touch a cell in the step, ascending.
std::vector<std::uint32_t> threads_touching(const trace::Trace& trace, const session::StepState& step_state,
                                            const std::string& symbol, std::uint64_t index);
// Moves of values between the lanes of one warp as arrows; a lane that feeds many others gets one arrow.
ArrowSet exchange_arrows(const trace::Trace& trace, std::span<const trace::TurnDetail> details,
                         std::uint32_t warp);

}  // namespace lanescope::ui
