// Snapshots of a trace that was opened without playing it: they come while it is already shown.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "trace/events.h"

namespace lanescope::trace {

// The snapshots around a position. Copies share their pages.
struct SnapshotsAround {
    std::optional<Snapshot> before;  // the last one at or before it
    std::optional<Snapshot> after;   // the first one after it
};

// One thread adds while others read.
class LateSnapshots {
  public:
    void add(
        const Snapshot& snapshot);  // positions ascend; those that are there already are left as they are
    void complete();                // the end of the trace was reached
    bool is_complete() const;
    SnapshotsAround around(std::uint64_t position) const;

  private:
    mutable std::mutex mutex_;
    std::vector<Snapshot> snapshots_;
    bool complete_ = false;
};

// Of a trace's own snapshots, and of those that came late.
SnapshotsAround snapshots_around(const EventStream& stream, std::uint64_t position);

}  // namespace lanescope::trace
