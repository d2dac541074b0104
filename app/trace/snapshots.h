// Makes the snapshots of a trace, while it is recorded or after it was read from a file.
#pragma once

#include <cstdint>

#include "trace/events.h"
#include "trace/player.h"
#include "trace/trace.h"

namespace lanescope::trace {

// Where to put snapshots: often enough that a seek is quick, but where much memory changes between two of
// them only as often as the pages that they keep are no more than the events themselves, within what a seek
// may cost.
struct SnapshotPolicy {
    std::uint64_t interval_bytes = 4ull << 20;
    std::uint64_t interval_limit = 3;  // at most so many intervals apart
};

inline constexpr std::uint64_t state_limit_bytes = 4ull << 30;  // of a state and its snapshots

class SnapshotMaker {
  public:
    SnapshotMaker(const Trace& trace, EventStream& stream, SnapshotPolicy policy);

    State& initial() { return player_.state(); }  // to be filled before start()
    void start();                                 // takes the snapshot at 0
    // Plays the turns up to `position`, whose events must be complete. False: damaged events.
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

// What replaying the turns before `position` costs, in bytes of events; a turn counts as some bytes.
std::uint64_t replay_cost(const Trace& trace, std::uint64_t position);

}  // namespace lanescope::trace
