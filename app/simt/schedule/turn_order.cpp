#include "simt/schedule/turn_order.h"

#include <algorithm>
#include <limits>

namespace lanescope::simt {

namespace {

void join(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& other) {
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = std::max(into[i], other[i]);
}

}  // namespace

std::uint64_t TurnOrder::key_of(const SideEffect& effect, std::uint32_t byte) {
    return (static_cast<std::uint64_t>(effect.place) << 61) ^ (std::uint64_t{effect.block} << 36) ^
           (effect.offset + byte);
}

void TurnOrder::begin_launch(const TurnRecord& turn) {
    launch_ = turn.launch;
    first_ = events_.size();
    clocks_.assign(turn.threads, Clock(turn.threads, 0));
    bytes_.clear();
}

// Turns of other threads that this one depends on, of which none is behind another.
std::vector<std::size_t> TurnOrder::dependent(const TurnRecord& turn) const {
    std::vector<std::size_t> found;
    for (const SideEffect& effect : turn.effects)
        for (std::uint32_t i = 0; i < effect.size_bytes; ++i) {
            const auto byte = bytes_.find(key_of(effect, i));
            if (byte == bytes_.end()) continue;
            if (byte->second.writer != none) found.push_back(byte->second.writer);
            if (effect.writes)
                found.insert(found.end(), byte->second.readers.begin(), byte->second.readers.end());
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

void TurnOrder::note_side_effects(std::size_t event, const SideEffects& effects) {
    for (const SideEffect& effect : effects)
        for (std::uint32_t i = 0; i < effect.size_bytes; ++i) {
            Byte& byte = bytes_[key_of(effect, i)];
            if (effect.writes) {
                byte.writer = event;
                byte.readers.clear();
            } else if (byte.writer != event && (byte.readers.empty() || byte.readers.back() != event)) {
                byte.readers.push_back(event);
            }
        }
}

std::vector<TurnRace> TurnOrder::add(const TurnRecord& turn) {
    if (events_.empty() || turn.launch != launch_) begin_launch(turn);
    const std::size_t self = events_.size();
    const std::vector<std::size_t> others = dependent(turn);
    const Clock own = clocks_[turn.thread];
    const auto ordered = [&](std::size_t a, const Clock& clock) {
        return clock[events_[a].thread] >= events_[a].number;
    };
    std::vector<TurnRace> races;
    for (const std::size_t a : others) {
        if (ordered(a, own)) continue;
        const bool behind = std::any_of(others.begin(), others.end(), [&](std::size_t b) {
            return b != a && ordered(a, events_[b].clock);
        });
        if (!behind) races.push_back({a, self});
    }
    Event event{turn.thread, own[turn.thread] + 1, own};
    for (const std::size_t a : others)
        join(event.clock, events_[a].clock);
    event.clock[turn.thread] = event.number;
    clocks_[turn.thread] = event.clock;
    events_.push_back(std::move(event));
    note_side_effects(self, turn.effects);
    // All threads that meet go on together, in any order of arrival.
    Clock meeting = clocks_[turn.thread];
    for (const std::size_t thread : turn.released)
        join(meeting, clocks_[thread]);
    if (!turn.released.empty()) clocks_[turn.thread] = meeting;
    for (const std::size_t thread : turn.released)
        clocks_[thread] = meeting;
    return races;
}

bool TurnOrder::before(std::size_t a, std::size_t b) const {
    return events_[b].clock[events_[a].thread] >= events_[a].number;
}

std::optional<std::uint64_t> TurnOrder::schedules_of_launch(std::size_t max_states) const {
    std::vector<std::vector<const Clock*>> turns(clocks_.size());
    for (std::size_t i = first_; i < events_.size(); ++i)
        turns[events_[i].thread].push_back(&events_[i].clock);
    std::size_t states = 1;
    for (const auto& each : turns) {
        if (states > max_states / (each.size() + 1)) return std::nullopt;
        states *= each.size() + 1;
    }
    // ways[s]: schedules that lead to the state s, a number of turns per thread in mixed radix.
    std::vector<std::uint64_t> ways(states, 0);
    std::vector<std::uint32_t> taken(turns.size(), 0);
    ways[0] = 1;
    for (std::size_t state = 0; state < states; ++state) {
        std::size_t weight = 1;
        for (std::size_t t = 0; t < turns.size() && ways[state] != 0; weight *= turns[t].size() + 1, ++t) {
            if (taken[t] == turns[t].size()) continue;
            const Clock& needs = *turns[t][taken[t]];
            bool allowed = true;
            for (std::size_t u = 0; u < turns.size() && allowed; ++u)
                allowed = u == t || needs[u] <= taken[u];
            if (!allowed) continue;
            std::uint64_t& next = ways[state + weight];
            if (next > std::numeric_limits<std::uint64_t>::max() - ways[state]) return std::nullopt;
            next += ways[state];
        }
        for (std::size_t t = 0; t < turns.size(); ++t) {
            if (++taken[t] <= turns[t].size()) break;
            taken[t] = 0;
        }
    }
    return ways.back();
}

}  // namespace lanescope::simt
