// Predict, then reveal: while results are hidden, the replay stands before the step, so that no view can tell
// what the step wrote; what it wrote is known from the moment's details, without values.
#include <algorithm>

#include "session/state.h"

namespace lanescope::session {
namespace {

bool writes(const trace::TurnDetail& turn) {
    return !turn.changes.empty() ||
           std::any_of(turn.accesses.begin(), turn.accesses.end(),
                       [](const trace::Access& access) { return access.kind != trace::AccessKind::load; });
}

}  // namespace

// The events of the current step, or of its current instruction, as much as may be told. The results of a
// turn are hidden and revealed together, whichever of its instructions is shown.
void Session::State::read_details() {
    step_state->details =
        replay->details(step_state->step.first, step_state->step.end, step_state->step.block);
    if (concealed) blank_results();
}

// A step that changes nothing and prints nothing has nothing to be predicted.
void Session::State::conceal() {
    concealed = false;
    if (!hiding || !step_state) return;
    const trace::Step& now = step_state->step;
    const std::vector<trace::Print>& prints = run->trace->prints;
    concealed = std::any_of(step_state->details.begin(), step_state->details.end(), writes) ||
                std::any_of(prints.begin(), prints.end(), [&](const trace::Print& print) {
                    return now.first <= print.turn && print.turn < now.end;
                });
    if (concealed) blank_results();
}

void Session::State::blank_results() {
    replay->seek(step_state->step.first);
    for (trace::TurnDetail& turn : step_state->details)
        for (trace::Access& access : turn.accesses) {
            for (auto& value : access.value)
                value.fill(std::byte{0});
            for (auto& value : access.before)
                value.fill(std::byte{0});
        }
}

void Session::State::reveal() {
    if (!concealed) return;
    concealed = false;
    if (!step_state) return;
    read_details();
    if (by_instruction) show_instruction(false);
}

void Session::State::hide_results(bool wanted) {
    if (hiding == wanted) return;
    hiding = wanted;
    if (!wanted) reveal();
}

bool Session::hiding() const {
    return state_->hiding;
}
bool Session::concealed() const {
    return state_->concealed;
}
std::uint64_t Session::revealed_until() const {
    if (!state_->hiding || !state_->step_state) return ~0ull;
    const trace::Step& now = state_->step_state->step;
    const bool all = !state_->concealed && state_->step + 1 == state_->steps.size();
    return all ? ~0ull : state_->concealed ? now.first : now.end;
}

}  // namespace lanescope::session
