#include "simt/schedule/interleavings.h"

#include <algorithm>
#include <limits>

namespace lanescope::simt {

void Interleavings::begin_run() {
    depth_ = 0;
    ran_ = Ran::whole;
    spun_ = false;
}

// Chooses the thread of the last turn unless it only polls; then the thread that polled least.
std::optional<std::size_t> Interleavings::preferred(const ThreadTable& threads, const Choice& choice) const {
    const auto may = [&](std::size_t thread) {
        return threads.states[thread] == ThreadState::ready && !choice.asleep.contains(thread);
    };
    const bool follows = !choices_.empty() && choices_.back().turn.launch == threads.launch;
    const std::size_t count = threads.states.size();
    const std::size_t last = follows ? choices_.back().turn.thread : 0;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t thread = (last + i) % count;
        if (may(thread) && (!best || threads.held_back[thread] < threads.held_back[*best])) best = thread;
    }
    return best;
}

bool Interleavings::make_choice(const ThreadTable& threads) {
    const std::size_t count = threads.states.size();
    if (choices_.size() >= limits_.turns || (choices_.size() + 1) * count > limits_.clock_cells) {
        ran_ = Ran::too_long;
        return false;
    }
    Choice choice;
    choice.ready.resize(count);
    choice.spinning.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        choice.ready[i] = threads.states[i] == ThreadState::ready;
        choice.spinning[i] = threads.states[i] == ThreadState::spinning;
    }
    if (!choices_.empty() && choices_.back().turn.launch == threads.launch) {
        const Choice& before = choices_.back();
        for (const auto& [thread, effects] : before.asleep)
            if (!depend(effects, before.turn.effects)) choice.asleep.emplace(thread, effects);
    }
    const std::optional<std::size_t> thread = preferred(threads, choice);
    if (!thread) {
        ran_ = Ran::redundant;
        return false;
    }
    choice.turn.launch = threads.launch;
    choice.turn.thread = *thread;
    choice.turn.threads = count;
    choice.block_threads = threads.block_threads;
    choice.wanted.insert(*thread);
    choices_.push_back(std::move(choice));
    return true;
}

ThreadChoice Interleavings::choose(const ThreadTable& threads) {
    if (depth_ == choices_.size() && !make_choice(threads)) return {ThreadChoice::Kind::stop, 0, {}};
    return {ThreadChoice::Kind::thread, choices_[depth_++].turn.thread, {}};
}

void Interleavings::done(const ThreadTurnDone& turn) {
    TurnRecord& record = choices_[depth_ - 1].turn;
    record.effects.assign(turn.effects.begin(), turn.effects.end());
    record.released.assign(turn.released.begin(), turn.released.end());
}

void Interleavings::analyse() {
    TurnOrder order;
    equivalent_ = 1;
    const auto multiply = [&] {
        const std::optional<std::uint64_t> ways = order.schedules_of_launch(limits_.count_states);
        if (!ways || *equivalent_ > std::numeric_limits<std::uint64_t>::max() / *ways)
            equivalent_.reset();
        else
            *equivalent_ *= *ways;
    };
    std::vector<TurnRace> races;
    schedule_.clear();
    for (std::size_t i = 0; i < depth_; ++i) {
        const Choice& choice = choices_[i];
        append_turn(schedule_, static_cast<std::uint32_t>(choice.turn.thread / choice.block_threads),
                    static_cast<std::uint32_t>(choice.turn.thread % choice.block_threads));
        if (i > 0 && equivalent_ && choice.turn.launch != choices_[i - 1].turn.launch) multiply();
        if (std::find(choice.spinning.begin(), choice.spinning.end(), true) != choice.spinning.end())
            spun_ = true;
        for (const TurnRace& race : order.add(choice.turn))
            if (i >= first_new_) races.push_back(race);
    }
    if (depth_ > 0 && equivalent_) multiply();
    if (spun_ || ran_ != Ran::whole) equivalent_.reset();
    for (const TurnRace& race : races)
        want_reversal(order, race);
}

// Before the first turn of the race some thread must be tried that leads to the second one without it.
void Interleavings::want_reversal(const TurnOrder& order, const TurnRace& race) {
    Choice& choice = choices_[race.first];
    std::vector<std::size_t> initials;  // turns of the reversed part with nothing of it before them
    for (std::size_t i = race.first + 1; i <= race.second; ++i) {
        if (i != race.second && order.before(race.first, i)) continue;
        if (std::none_of(initials.begin(), initials.end(), [&](std::size_t a) { return order.before(a, i); }))
            initials.push_back(i);
    }
    std::optional<std::size_t> candidate;
    for (const std::size_t i : initials) {
        const std::size_t thread = choices_[i].turn.thread;
        if (choice.wanted.contains(thread) || choice.asleep.contains(thread)) return;
        // A thread that spins until the first turn changes memory would only loop once more.
        if (choice.spinning[thread]) return;
        if (choice.ready[thread] && !candidate) candidate = thread;
    }
    if (candidate) {
        choice.wanted.insert(*candidate);
        return;
    }
    for (std::size_t thread = 0; thread < choice.ready.size(); ++thread)
        if (choice.ready[thread]) choice.wanted.insert(thread);
}

bool Interleavings::end_run() {
    analyse();
    choices_.resize(depth_);
    while (!choices_.empty()) {
        Choice& choice = choices_.back();
        choice.asleep.emplace(choice.turn.thread, choice.turn.effects);
        const auto next = std::find_if(choice.wanted.begin(), choice.wanted.end(),
                                       [&](std::size_t thread) { return !choice.asleep.contains(thread); });
        if (next != choice.wanted.end()) {
            choice.turn.thread = *next;
            first_new_ = choices_.size() - 1;
            return true;
        }
        choices_.pop_back();
    }
    return false;
}

}  // namespace lanescope::simt
