#include "session/playhead/playhead.h"

#include <algorithm>
#include <utility>

#include "analysis/acting_lanes.h"
#include "analysis/executed_pcs.h"
#include "analysis/turn_metrics.h"
#include "session/playhead/earlier_writes.h"

namespace lanescope::session {

namespace {

bool writes(const trace::TurnDetail& turn) {
    return !turn.changes.empty() ||
           std::any_of(turn.accesses.begin(), turn.accesses.end(),
                       [](const trace::Access& access) { return access.kind != trace::AccessKind::load; });
}

trace::Mask lanes_that_ran(const std::array<trace::LaneInfo, trace::warp_size>& lanes) {
    trace::Mask ran = 0;
    for (unsigned lane = 0; lane < trace::warp_size; ++lane)
        if (lanes[lane].status == trace::LaneStatus::active) ran |= trace::Mask{1} << lane;
    return ran;
}

template <class Event>
void keep_only(std::vector<Event>& events, std::size_t ordinal) {
    std::erase_if(events, [&](const Event& event) { return event.ordinal != ordinal; });
}

}  // namespace

// --- What is shown -----------------------------------------------------------------------------------------

std::optional<std::uint32_t> Playhead::show(PreparedTrace prepared, const LineMap* lines) {
    const std::vector<trace::Step> old_steps = std::move(steps_);
    run_ = std::move(prepared.result);
    replay_ = std::move(prepared.replay);
    steps_.clear();
    lanes_on_.clear();
    state_.reset();
    awaited_.reset();
    ++moves_;
    if (!replay_) return {};
    if (!lines) block_ = 0;
    block_ = clamped(block_);
    if (!shows(block_)) block_ = run_->trace->launches.front().recorded_blocks.front();
    if (!run_->report_ready) {  // the first of these steps is near; the first of others may not be
        granularity_ = prepared.granularity;
        block_ = prepared.block;
    }
    if (prepared.block == block_ && prepared.granularity == granularity_) {
        steps_ = std::move(prepared.steps);
        lanes_on_ = std::move(prepared.lanes_on);
    } else {
        steps_ = execution::steps_of(*run_->trace, run_->turn_log.get(), block_, granularity_);
        lanes_on_ = analysis::lanes_on(*run_->trace, steps_);
    }
    if (!lines)
        step_ = 0;
    else if (!old_steps.empty() && !steps_.empty())
        step_ = same_place(old_steps, std::min(step_, old_steps.size() - 1), steps_, *lines);
    seek(std::exchange(next_.step, std::nullopt).value_or(step_));
    return go_to_chosen();
}

std::unique_ptr<trace::Replay> Playhead::clear() {
    steps_.clear();
    lanes_on_.clear();
    state_.reset();
    awaited_.reset();
    concealed_ = false;
    ++moves_;
    run_.reset();
    return std::move(replay_);
}

std::unique_ptr<trace::Replay> Playhead::release() {
    run_.reset();
    state_.reset();
    return std::move(replay_);
}

std::uint32_t Playhead::clamped(std::uint32_t block) const {
    std::uint64_t blocks = 1;
    for (const trace::Launch& launch : run_->trace->launches)
        blocks = std::max(blocks, launch.grid.count());
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(block, blocks - 1));
}

// Whether some launch recorded the block.
bool Playhead::shows(std::uint32_t block) const {
    const std::vector<trace::Launch>& launches = run_->trace->launches;
    return launches.empty() ||
           std::any_of(launches.begin(), launches.end(), [&](const trace::Launch& launch) {
               return launch.recorded_blocks.empty() ||
                      std::binary_search(launch.recorded_blocks.begin(), launch.recorded_blocks.end(), block);
           });
}

// --- Moving ------------------------------------------------------------------------------------------------

void Playhead::seek(std::size_t step) {
    awaited_.reset();
    if (!steps_.empty() && replay_) {
        step = std::min(step, steps_.size() - 1);
        if (step != 0 && !is_near(steps_[step])) {
            if (!state_) seek(0);
            awaited_ = Awaited{step, {}, {}, {}};
            return;
        }
    }
    ++moves_;
    state_.reset();
    before_first_turn_ = false;
    instruction_ = 0;
    if (steps_.empty() || !replay_) return;
    step_ = step;
    auto made = std::make_unique<StepState>();
    made->index = step_;
    made->step = steps_[step_];
    made->launch = &run_->trace->launches[made->step.launch];
    made->details = replay_->details(made->step.first, made->step.end, made->step.block);
    for (unsigned warp = 0; warp < made->launch->warps_per_block(); ++warp)
        made->warps.push_back(replay_->lanes(made->step.launch, made->step.block, warp, made->step.first));
    for (std::uint32_t warp = 0; warp < made->warps.size(); ++warp)
        made->acted.push_back(granularity_ <= trace::Granularity::line
                                  ? analysis::acting_lanes(*run_->trace, made->details, warp)
                                  : lanes_that_ran(made->warps[warp]));
    made->metrics = analysis::measure_turns(made->details, *run_->trace, run_->instructions.get());
    state_ = std::move(made);
    conceal();
    settle();
    if (by_instruction_) show_instruction(false);
}

void Playhead::step_by(int count) {
    if (steps_.empty()) return;
    if (count > 0 && concealed_) return reveal();
    if (before_first_turn_) return count > 0 ? seek(std::size_t(count - 1)) : void();
    if (by_instruction_) {
        const std::size_t turn = step_;
        move_instructions(count);
        if (count < 0 && step_ != turn) reveal();  // its results were seen before
        return;
    }
    const auto last = static_cast<std::int64_t>(steps_.size()) - 1;
    seek(std::size_t(std::clamp<std::int64_t>(static_cast<std::int64_t>(step_) + count, 0, last)));
    if (count < 0) reveal();  // its results were seen before
}

void Playhead::phase_by(int count) {
    if (steps_.empty()) return;
    const auto same_phase = [&](std::size_t a, std::size_t b) {
        return steps_[a].phase == steps_[b].phase && steps_[a].launch == steps_[b].launch;
    };
    std::size_t at = step_;
    for (; count > 0; --count) {
        std::size_t next = at;
        while (next < steps_.size() && same_phase(next, at))
            ++next;
        at = next < steps_.size() ? next : steps_.size() - 1;
    }
    for (; count < 0 && at > 0; ++count) {
        --at;
        while (at > 0 && same_phase(at, at - 1))
            --at;
    }
    seek(at);
}

void Playhead::set_granularity(trace::Granularity wanted) {
    if (wanted != trace::Granularity::turn) by_instruction_ = false;
    if (granularity_ == wanted) return;
    if (!replay_ || show_steps(block_, wanted, first_turn()))
        granularity_ = wanted;
    else
        awaited_ = Awaited{{}, {}, wanted, {}};
}

void Playhead::focus_block(std::uint32_t block) {
    if (!replay_) return;
    block = clamped(block);
    if (show_steps(block, granularity_, first_turn()))
        block_ = block;
    else
        awaited_ = Awaited{{}, block, {}, {}};
}

void Playhead::seek_turn(std::uint64_t turn) {
    if (!replay_ || steps_.empty()) return;
    const std::size_t at = trace::step_at(steps_, turn);
    const trace::Trace& trace = *run_->trace;
    if (turn >= trace.turns.size()) return seek(at);
    const std::uint32_t block = trace.turns[turn].block;
    if (steps_[at].block == block && steps_[at].launch == trace.launch_of(turn)) return seek(at);
    if (show_steps(block, granularity_, turn))
        block_ = block;
    else
        awaited_ = Awaited{{}, {}, {}, turn};
}

// Shows the steps of another block or granularity. False: their place is not near yet, and nothing changed.
bool Playhead::show_steps(std::uint32_t block, trace::Granularity granularity, std::uint64_t turn) {
    std::vector<trace::Step> made =
        execution::steps_of(*run_->trace, run_->turn_log.get(), block, granularity);
    const std::size_t at = trace::step_at(made, turn);
    if (at < made.size() && !is_near(made[at])) return false;
    steps_ = std::move(made);
    lanes_on_ = analysis::lanes_on(*run_->trace, steps_);
    state_.reset();
    seek(at);
    return true;
}

// --- Parts that were not played yet ------------------------------------------------------------------------

bool Playhead::is_near(const trace::Step& there) const {
    return replay_->is_near(there.first, there.end);
}

// Another block or granularity makes its steps anew at each try, so it waits until all turns were played.
bool Playhead::arrive() {
    if (!awaited_ || !replay_) return false;
    if (awaited_->step) {
        const std::size_t step = *awaited_->step;
        if (!is_near(steps_[std::min(step, steps_.size() - 1)])) return false;
        seek(step);
        return true;
    }
    if (!replay_->is_near(0, run_->trace->turns.size())) return false;
    const Awaited wanted = *std::exchange(awaited_, std::nullopt);
    if (wanted.block) focus_block(*wanted.block);
    if (wanted.granularity) set_granularity(*wanted.granularity);
    if (wanted.turn) seek_turn(*wanted.turn);
    return true;
}

// --- Turns of single threads -------------------------------------------------------------------------------

// After a run: goes to the end of the chosen turns, in the block whose thread took the last one.
std::optional<std::uint32_t> Playhead::go_to_chosen() {
    if (!next_.thread_turns || !run_->turn_log) return {};
    const std::uint64_t count = std::min<std::uint64_t>(*std::exchange(next_.thread_turns, std::nullopt),
                                                        run_->turn_log->turns.size());
    if (count == 0) {
        seek_start();
        return {};
    }
    const execution::ThreadTurn& last = run_->turn_log->turns[count - 1];
    if (last.block != block_ && shows(last.block)) focus_block(last.block);
    if (last.end > 0) seek(trace::step_at(steps_, last.end - 1));
    return last.thread;
}

// The state before the first turn: a step without turns.
void Playhead::seek_start() {
    seek(0);
    if (!state_) return;
    before_first_turn_ = true;
    concealed_ = false;
    state_->step.end = state_->step.first;
    state_->step.line = 0;
    state_->details = replay_->details(state_->step.first, state_->step.end, state_->step.block);
    state_->pcs.clear();
    state_->acted.assign(state_->warps.size(), 0);
    state_->metrics = {};
    for (unsigned warp = 0; warp < state_->warps.size(); ++warp)
        state_->warps[warp] =
            replay_->lanes(state_->step.launch, state_->step.block, warp, state_->step.first);
}

// --- Single instructions -----------------------------------------------------------------------------------

void Playhead::step_instructions(bool on) {
    if (on) set_granularity(trace::Granularity::turn);
    if (by_instruction_ == on) return;
    by_instruction_ = on;
    if (state_) seek(step_);
}

void Playhead::show_instruction(bool last) {
    StepState& shown = *state_;
    if (shown.details.empty()) return;
    trace::TurnDetail& detail = shown.details.front();
    shown.pcs = analysis::executed_pcs(run_->trace->turns[detail.turn], detail);
    const std::size_t count = std::max<std::size_t>(shown.pcs.size(), 1);
    instruction_ = last ? count - 1 : std::min(instruction_, count - 1);
    shown.instruction = instruction_;
    keep_only(detail.accesses, instruction_);
    keep_only(detail.branches, instruction_);
    keep_only(detail.exchanges, instruction_);
    keep_only(detail.syncs, instruction_);
    shown.metrics = analysis::measure_turns(shown.details, *run_->trace, run_->instructions.get());
}

void Playhead::move_instructions(int count) {
    for (; count != 0; count -= count > 0 ? 1 : -1) {
        const bool forwards = count > 0;
        if (!state_) return;
        if (forwards ? instruction_ + 1 < state_->pcs.size() : instruction_ > 0) {
            instruction_ += forwards ? 1 : std::size_t(-1);
            ++moves_;
            read_details();  // with the other instructions of the turn
            show_instruction(false);
        } else if (forwards) {
            if (step_ + 1 >= steps_.size()) return;
            seek(step_ + 1);
        } else {
            if (step_ == 0) return;
            seek(step_ - 1);
            if (!state_ || state_->pcs.size() < 2) continue;
            read_details();
            show_instruction(true);
        }
    }
}

// --- Before or after ---------------------------------------------------------------------------------------

void Playhead::settle() {
    if (state_ && before_first_turn_) return;
    if (state_ && replay_) replay_->seek(stands_before() ? state_->step.first : state_->step.end);
}

void Playhead::show_before(bool wanted) {
    if (before_ == wanted) return;
    if (wanted) hide_results(false);
    before_ = wanted;
    settle();
}

// --- Predict, then reveal ----------------------------------------------------------------------------------

// Reads the events of the current step, without results that are hidden. The results of a turn are hidden and
// revealed together, whichever of its instructions is shown.
void Playhead::read_details() {
    state_->details = replay_->details(state_->step.first, state_->step.end, state_->step.block);
    if (concealed_) blank_results();
    settle();
}

// A step that changes nothing and prints nothing has nothing to predict.
void Playhead::conceal() {
    concealed_ = false;
    if (!hiding_ || !state_) return;
    const trace::Step& now = state_->step;
    const std::vector<trace::Print>& prints = run_->trace->prints;
    concealed_ = std::any_of(state_->details.begin(), state_->details.end(), writes) ||
                 std::any_of(prints.begin(), prints.end(), [&](const trace::Print& print) {
                     return now.first <= print.turn && print.turn < now.end;
                 });
    if (concealed_) blank_results();
}

// Operands keep their values: what the step found in memory.
void Playhead::blank_results() {
    EarlierWrites written;
    for (trace::TurnDetail& detail : state_->details) {
        const std::uint32_t warp = run_->trace->turns[detail.turn].warp;
        for (trace::Access& access : detail.accesses) {
            const bool load = access.kind == trace::AccessKind::load;
            for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
                if ((access.mask >> lane & 1) == 0) continue;
                const bool operand = written.is_operand(access, warp, lane);
                if (!load || !operand) access.value[lane].fill(std::byte{0});
                if (!operand) access.before[lane].fill(std::byte{0});
                if (!load) written.add(access, warp, lane);
            }
        }
    }
}

void Playhead::reveal() {
    if (!concealed_) return;
    concealed_ = false;
    if (!state_) return;
    read_details();
    if (by_instruction_) show_instruction(false);
}

void Playhead::hide_results(bool wanted) {
    if (hiding_ == wanted) return;
    if (wanted) show_before(false);
    hiding_ = wanted;
    if (!wanted) reveal();
}

Playhead::Results Playhead::results() const {
    if (!hiding_ || !state_) return {hiding_, concealed_, ~0ull};
    const trace::Step& now = state_->step;
    const bool all = !concealed_ && step_ + 1 == steps_.size();
    return {hiding_, concealed_, all ? ~0ull : concealed_ ? now.first : now.end};
}

}  // namespace lanescope::session
