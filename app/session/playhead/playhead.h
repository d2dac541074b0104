// The position in a run: the focus block, its steps, the current step, and which of its results are hidden.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/metrics.h"
#include "session/playhead/step_remapping.h"
#include "session/runner/prepared_trace.h"
#include "trace/replay.h"
#include "trace/steps.h"

namespace lanescope::session {

// Everything about the current step, made once when the position changes.
struct StepState {
    std::size_t index = 0;  // step number, from 0
    trace::Step step;
    const trace::Launch* launch = nullptr;
    std::vector<trace::TurnDetail> details;  // of the focus block's turns in this step
    std::vector<std::array<trace::LaneInfo, trace::warp_size>>
        warps;  // per warp of the block, after the step
    // Per warp: the lanes that did more than evaluate a condition; analysis/acting_lanes.h. A step of more
    // than one line has all lanes that ran.
    std::vector<trace::Mask> acted;
    analysis::Metrics metrics;  // of this step
    // While single instructions are stepped: the instructions of the step's turn in the order in which they
    // ran, and the number of the current one. `details` holds its events only; memory and variables are those
    // after the turn.
    std::vector<std::uint32_t> pcs;
    std::size_t instruction = 0;
};

class Playhead {
  public:
    // --- What is shown
    // Shows another run, from the same place when `lines` maps the old source to the new one, else from the
    // first step. Returns the thread that took the last chosen turn, if turns were chosen: see
    // after_next_run().
    std::optional<std::uint32_t> show(PreparedTrace prepared, const LineMap* lines);
    // Shows nothing. Returns the replay, because it may take long to destroy.
    std::unique_ptr<trace::Replay> clear();
    // Does the same before show(), but keeps the steps, which show() maps to the new ones.
    std::unique_ptr<trace::Replay> release();

    const execution::RunResult* run() const { return run_.get(); }
    // Positioned after the current step, or before it: see stands_before().
    const trace::Replay* replay() const { return replay_.get(); }
    const std::vector<trace::Step>& steps() const { return steps_; }
    const std::vector<float>& lanes_on() const { return lanes_on_; }  // per step, 0 … 1
    const StepState* step_state() const { return state_.get(); }      // null while there is no run
    std::uint32_t block() const { return block_; }  // the focus block, of launches that have it; else 0
    trace::Granularity granularity() const { return granularity_; }
    bool by_instruction() const { return by_instruction_; }
    bool at_start() const { return before_first_turn_; }  // before the first turn, with no thread chosen yet
    std::uint64_t moves() const { return moves_; }        // changes with the position

    // --- Moving
    void seek(std::size_t step);
    void seek_turn(std::uint64_t turn);  // to the step that holds the turn; its block becomes the focus block
    void seek_start();                   // to the state before the first step
    void step_by(int count);
    // Forwards: to the first step of the next phase. Backwards: to the first step of this phase, or of the
    // one before.
    void phase_by(int count);
    void focus_block(std::uint32_t block);
    void set_granularity(trace::Granularity wanted);
    void step_instructions(bool on);  // a step is one PTX instruction of a turn
    // Where the next run begins: at this step, or at the end of so many turns of single threads.
    struct Next {
        std::optional<std::size_t> step;
        std::optional<std::uint64_t> thread_turns;
    };
    void after_next_run(Next next) { next_ = next; }
    const Next& next() const { return next_; }

    // A move to a part of a large trace that was not played yet waits for it. arrive() makes the last such
    // move as soon as it can, and returns whether it did.
    bool awaiting() const { return awaited_.has_value(); }
    bool arrive();
    void stay() { awaited_.reset(); }

    // --- Before or after
    // The convention: the position is after the step. Memory, variables, watches and conditions have the
    // values after it, and cells, lanes and watches that the step changes also show the value before. The
    // user can look at the state before the step instead. Does not go together with hidden results.
    void show_before(bool wanted);
    bool shows_before() const { return before_; }
    // replay() stands before the step: the user wants it, or the results are hidden.
    bool stands_before() const { return concealed_ || (before_ && !before_first_turn_); }
    // Calls `read` while the replay stands before the step. Takes as long as the step is, twice.
    template <class Read>
    void while_before(Read read) const {
        if (!replay_ || !state_) return;
        struct Return {  // also when `read` throws
            trace::Replay& replay;
            std::uint64_t here;
            ~Return() { replay.seek(here); }
        } const back{*replay_, replay_->position()};
        replay_->seek(state_->step.first);
        read();
    }

    // --- Predict, then reveal
    // While results are hidden the replay stands before the step, so that no view can show what the step
    // wrote. What the step reads, and what its stores replace, are operands: they stay visible.
    void hide_results(bool wanted);
    void reveal();
    struct Results {
        bool hidden_at_first = false;  // of each step
        bool concealed = false;        // of the current step: replay() stands before it
        // Hide what turns from this one on wrote, printed or broke; ~0: nothing is hidden.
        std::uint64_t revealed_until = ~0ull;
    };
    Results results() const;

  private:
    struct Awaited {
        std::optional<std::size_t> step;
        std::optional<std::uint32_t> block;
        std::optional<trace::Granularity> granularity;
        std::optional<std::uint64_t> turn;
    };

    bool is_near(const trace::Step& there) const;
    bool shows(std::uint32_t block) const;
    std::uint32_t clamped(std::uint32_t block) const;
    bool show_steps(std::uint32_t block, trace::Granularity granularity, std::uint64_t turn);
    std::uint64_t first_turn() const { return state_ ? state_->step.first : 0; }  // of the current step
    std::optional<std::uint32_t> go_to_chosen();
    void show_instruction(bool last);
    void move_instructions(int count);
    void read_details();
    void conceal();
    void blank_results();
    void settle();  // the replay goes to where views read

    std::shared_ptr<const execution::RunResult> run_;
    std::unique_ptr<trace::Replay> replay_;
    std::vector<trace::Step> steps_;
    std::vector<float> lanes_on_;
    std::uint32_t block_ = 0;
    std::size_t step_ = 0;
    std::unique_ptr<StepState> state_;
    trace::Granularity granularity_ = trace::Granularity::line;
    bool by_instruction_ = false;
    std::size_t instruction_ = 0;  // of the current turn
    bool before_first_turn_ = false;
    std::uint64_t moves_ = 0;
    Next next_;
    std::optional<Awaited> awaited_;
    bool hiding_ = false, concealed_ = false;
    bool before_ = false;
};

}  // namespace lanescope::session
