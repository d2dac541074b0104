// Makes the snapshots of a trace while it is recorded or after it was read from a file.
#pragma once

#include <cstdint>

#include "trace/events.h"
#include "trace/player.h"
#include "trace/trace.h"

namespace lanescope::trace {

// Places snapshots often enough for quick seeks. Where much memory changes between snapshots, they are rarer,
// so that their pages take no more memory than the events, within the limit on the cost of a seek.
struct SnapshotPolicy {
    std::uint64_t interval_bytes = 4ull << 20;
    std::uint64_t interval_limit = 3;  // largest distance in intervals
};

inline constexpr std::uint64_t state_limit_bytes = 4ull << 30;  // of a state and its snapshots

class SnapshotMaker {
  public:
    SnapshotMaker(const Trace& trace, EventStream& stream, SnapshotPolicy policy);

    State& initial() { return player_.state(); }  // fill it before start()
    void start();                                 // takes the snapshot at 0
    // Plays the turns up to `position`, whose events must be complete. Returns false if events are damaged.
    bool advance(std::uint64_t position);
    void finish();  // takes the last snapshot

    const Player& player() const { return player_; }
    std::uint64_t bytes() const;  // pages alive in snapshots and the state

  private:
    void take();
    bool is_due() const;

    const Trace& trace_;
    EventStream& stream_;
    SnapshotPolicy policy_;
    Player player_;
    std::uint64_t pages_at_last_ = 0;
};

// Returns the cost of replaying the turns before `position` in bytes of events; each turn counts as some
// bytes.
std::uint64_t replay_cost(const Trace& trace, std::uint64_t position);

}  // namespace lanescope::trace
