// The order of a run's turns that holds in every equivalent schedule: the turns of one thread, turns that
// depend on each other (in the order in which they happened), and turns that a barrier or a meeting of lanes
// orders. Vector clocks (L. Lamport, F. Mattern), one number per thread of the launch.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simt/launch/side_effect.h"

namespace lanescope::simt {

struct TurnRecord {
    std::uint32_t launch = 0;
    std::size_t thread = 0;
    std::size_t threads = 0;  // of the launch
    SideEffects effects;
    std::vector<std::size_t> released;
};

// Two turns of different threads that depend on each other and that nothing else orders.
struct TurnRace {
    std::size_t first = 0, second = 0;
};

class TurnOrder {
  public:
    // Adds the next turn; the races whose second turn it is.
    std::vector<TurnRace> add(const TurnRecord& turn);
    // Turn a comes before b in every schedule that is equivalent to this one. a < b.
    bool before(std::size_t a, std::size_t b) const;
    std::size_t count() const { return events_.size(); }
    // Schedules of the last launch that are equivalent to this one (linear extensions of the order); nothing
    // when they are too many to count. `max_states`: effort, combinations of how far each thread is.
    std::optional<std::uint64_t> schedules_of_launch(std::size_t max_states) const;

  private:
    using Clock = std::vector<std::uint32_t>;
    struct Event {
        std::size_t thread = 0;
        std::uint32_t number = 0;  // of its thread, from 1
        Clock clock;
    };
    struct Byte {  // its last accesses
        std::size_t writer = none;
        std::vector<std::size_t> readers;  // since
    };
    static constexpr std::size_t none = ~std::size_t{0};
    static std::uint64_t key_of(const SideEffect& touch, std::uint32_t byte);
    void begin_launch(const TurnRecord& turn);
    std::vector<std::size_t> dependent(const TurnRecord& turn) const;
    void note_side_effects(std::size_t event, const SideEffects& effects);

    std::vector<Event> events_;
    std::size_t first_ = 0;  // of the launch
    std::uint32_t launch_ = 0;
    std::vector<Clock> clocks_;  // per thread: what comes before its next turn
    std::unordered_map<std::uint64_t, Byte> bytes_;
};

}  // namespace lanescope::simt
