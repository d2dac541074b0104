#include "trace/late_snapshots.h"

#include <algorithm>
#include <iterator>

namespace lanescope::trace {
namespace {

SnapshotsAround around_in(const std::vector<Snapshot>& snapshots, std::uint64_t position) {
    const auto after = std::upper_bound(
        snapshots.begin(), snapshots.end(), position,
        [](std::uint64_t wanted, const Snapshot& snapshot) { return wanted < snapshot.position; });
    SnapshotsAround found;
    if (after != snapshots.begin()) found.before = *std::prev(after);
    if (after != snapshots.end()) found.after = *after;
    return found;
}

}  // namespace

void LateSnapshots::add(const Snapshot& snapshot) {
    const std::lock_guard lock(mutex_);
    if (snapshots_.empty() || snapshots_.back().position < snapshot.position) snapshots_.push_back(snapshot);
}

void LateSnapshots::complete() {
    const std::lock_guard lock(mutex_);
    complete_ = true;
}

bool LateSnapshots::is_complete() const {
    const std::lock_guard lock(mutex_);
    return complete_;
}

SnapshotsAround LateSnapshots::around(std::uint64_t position) const {
    const std::lock_guard lock(mutex_);
    return around_in(snapshots_, position);
}

SnapshotsAround snapshots_around(const EventStream& stream, std::uint64_t position) {
    SnapshotsAround own = around_in(stream.snapshots, position);
    if (stream.late == nullptr) return own;
    SnapshotsAround late = stream.late->around(position);
    if (late.before) own.before = std::move(late.before);
    if (late.after) own.after = std::move(late.after);
    return own;
}

}  // namespace lanescope::trace
