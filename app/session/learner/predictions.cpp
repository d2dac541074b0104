#include "session/learner/predictions.h"

#include <charconv>

#include "judge/answer.h"
#include "session/playhead/named_cell.h"

namespace lanescope::session {

namespace {

// Reads a text as the window writes values.
lesson::MeasuredValue value_of(const std::string& text) {
    const char *begin = text.data(), *end = begin + text.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(begin, end, whole); read.ec == std::errc() && read.ptr == end)
        return whole;
    double real = 0;
    if (const auto read = std::from_chars(begin, end, real); read.ec == std::errc() && read.ptr == end)
        return real;
    return text;
}

}  // namespace

Predictions::StepKey Predictions::here() const {
    const StepState* state = playhead_.step_state();
    return state ? StepKey{state->step.block, state->step.first} : StepKey{};
}

void Predictions::type(const HiddenPlace& place, const std::string& typed) {
    if (!playhead_.results().concealed || !playhead_.step_state()) return;
    follow();
    std::map<HiddenPlace, Prediction>& step = steps_[here()];
    const auto found = step.find(place);
    if (found != step.end() && found->second.state != Prediction::State::open) return;
    if (typed.find_first_not_of(' ') == std::string::npos)
        step.erase(place);
    else
        step[place] = {Prediction::State::open, typed, {}};
}

void Predictions::follow() {
    if (playhead_.run() != run_) {
        run_ = playhead_.run();
        steps_.clear();
        right_ = judged_ = 0;
    }
    if (steps_.empty() || !playhead_.step_state() || playhead_.stands_before()) return;
    const auto step = steps_.find(here());
    if (step == steps_.end()) return;
    for (auto& [place, prediction] : step->second) {
        if (prediction.state != Prediction::State::open) continue;
        prediction.actual = actual(place);
        const bool right = judge::is_answer(prediction.typed, value_of(prediction.actual));
        prediction.state = right ? Prediction::State::right : Prediction::State::wrong;
        ++judged_;
        right_ += right;
    }
}

std::string Predictions::actual(const HiddenPlace& place) const {
    const StepState& state = *playhead_.step_state();
    if (place.thread != trace::none)
        return values_.value(place.text, place.thread / trace::warp_size, place.thread % trace::warp_size)
            .text;
    const trace::Trace& trace = *run_->trace;
    const Result<NamedCell> cell = cell_named(trace, place.text);
    if (!cell) return {};
    for (const NamedCell::Part& part : cell->parts) {
        if (part.launch != trace::none && part.launch != state.step.launch) continue;
        std::vector<std::byte> bytes(part.bytes);
        const std::unique_ptr<bool[]> set(new bool[part.bytes]());
        playhead_.replay()->read(part.space, state.step.launch,
                                 part.space == trace::Space::shared ? state.step.block : 0, part.offset,
                                 bytes, std::span<bool>(set.get(), part.bytes));
        return format_value(trace.program.types, part.element, bytes);
    }
    return {};
}

const Prediction* Predictions::of(const HiddenPlace& place) const {
    const auto& step = of_step();
    const auto found = step.find(place);
    return found == step.end() ? nullptr : &found->second;
}

const std::map<HiddenPlace, Prediction>& Predictions::of_step() const {
    static const std::map<HiddenPlace, Prediction> none;
    const auto found = playhead_.run() == run_ ? steps_.find(here()) : steps_.end();
    return found == steps_.end() ? none : found->second;
}

}  // namespace lanescope::session
