// Snapshots of a trace that was opened without playing it; they arrive while it is already shown.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "trace/events.h"

namespace lanescope::trace {

// The snapshots around a position. Copies share their pages.
struct SnapshotsAround {
    std::optional<Snapshot> before;  // the last one at or before the position
    std::optional<Snapshot> after;   // the first one after the position
};

// One thread adds while others read.
class LateSnapshots {
  public:
    void add(const Snapshot& snapshot);  // positions must ascend; ignores positions up to the last one
    void complete();                     // called at the end of the trace
    bool is_complete() const;
    SnapshotsAround around(std::uint64_t position) const;

  private:
    mutable std::mutex mutex_;
    std::vector<Snapshot> snapshots_;
    bool complete_ = false;
};

// Searches a trace's own snapshots and the late ones.
SnapshotsAround snapshots_around(const EventStream& stream, std::uint64_t position);

}  // namespace lanescope::trace
