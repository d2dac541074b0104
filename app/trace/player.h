// Moves a state along a trace, forwards and backwards. Recorder, Replay and the file reader share it.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/events.h"
#include "trace/replay.h"
#include "trace/state.h"
#include "trace/trace.h"

namespace lanescope::trace {

// Adds the parts of an event that need no state to `out`. Returns false for events that `decode` does not
// report.
bool add_to_detail(const Trace& trace, const Turn& turn, const Event& event, TurnDetail& out);

// Receives each event of a turn right after it was applied.
class EventWatcher {
  public:
    virtual ~EventWatcher() = default;
    virtual void seen(const Event& event, const Access* access) = 0;  // `access` has values, or is null
};

class Player {
  public:
    explicit Player(const Trace& trace) : trace_(&trace) {}

    State& state() { return state_; }
    const State& state() const { return state_; }
    std::uint64_t position() const { return position_; }
    void restore(const State& state, std::uint64_t position);

    // Plays one turn. Returns false if its events are damaged; the state is then unusable.
    bool forward() { return forward(nullptr, nullptr); }
    bool forward(TurnDetail& detail) {
        return forward(&detail, nullptr);
    }  // also returns the turn's events with values
    bool forward(EventWatcher& watcher);
    // Takes one turn back and returns true. Returns false for a launch's first turn, which cannot be taken
    // back.
    bool backward();

    // During a turn: a lane's value of the event's variable after the event, and the function of a lane's
    // frame.
    std::uint64_t variable(const Event& event, unsigned lane) const;
    std::uint32_t function(unsigned lane, std::uint32_t depth) const;

    std::uint64_t pages_dropped() const {
        return pages_dropped_;
    }  // at launches, since restore() or the beginning

  private:
    // The position of a turn's warp.
    struct Place {
        std::uint64_t block = 0;   // among the recorded ones
        std::uint64_t warp = 0;    // among all recorded warps of the launch
        std::uint64_t thread = 0;  // lane 0's, among all recorded threads
    };

    bool forward(TurnDetail* detail, EventWatcher* watcher);
    void enter(const Turn& turn);
    std::uint64_t instance(const Event& event, unsigned lane) const;
    void apply(const Event& event, bool back);
    void apply_access(const Event& event);
    bool apply_run(const Event& event);
    void apply_with_values(const Event& event, TurnDetail& detail);
    void apply_variable(const Event& event, bool back);
    void apply_patch(const Event& event);
    Mask lanes_alike(Mask mask, std::uint32_t& depth);
    void move_slot_base(Mask mask, std::uint32_t depth, bool back);
    void set_frame(Mask mask, std::uint32_t depth, std::uint32_t function, std::uint32_t local_base);
    void push_frame(const Event& event);
    void pop_frame(const Event& event);
    std::uint32_t slots_of(std::uint32_t function) const;

    const Trace* trace_;
    State state_;
    Shape shape_;
    Place place_;
    std::uint64_t position_ = 0;
    std::uint64_t pages_dropped_ = 0;
    std::vector<Event> scratch_;
    TurnDetail watched_;
};

}  // namespace lanescope::trace
