#include "trace/snapshots.h"

#include <algorithm>

namespace lanescope::trace {

std::uint64_t replay_cost(const Trace& trace, std::uint64_t position) {
    constexpr std::uint64_t bytes_per_turn = 32;
    return events_end(trace, position) + position * bytes_per_turn;
}

SnapshotMaker::SnapshotMaker(const Trace& trace, EventStream& stream, SnapshotPolicy policy)
    : trace_(trace), stream_(stream), policy_(policy), player_(trace) {
    policy_.interval_bytes = std::max<std::uint64_t>(policy_.interval_bytes, 1);
}

void SnapshotMaker::start() {
    take();
}

void SnapshotMaker::take() {
    stream_.snapshots.push_back({player_.position(), player_.state()});
    pages_at_last_ = player_.state().pages_made();
    stream_.snapshot_bytes = bytes();
}

std::uint64_t SnapshotMaker::bytes() const {
    return (player_.state().pages_made() - player_.pages_dropped()) * sizeof(Page);
}

bool SnapshotMaker::advance(std::uint64_t position) {
    while (player_.position() < position) {
        if (is_due()) take();
        if (!player_.forward()) return false;
    }
    return true;
}

// Replay cannot go back across the end of a launch, so the turns before it must not be far from a snapshot.
bool SnapshotMaker::is_due() const {
    const std::uint64_t position = player_.position();
    const std::uint64_t apart =
        replay_cost(trace_, position) - replay_cost(trace_, stream_.snapshots.back().position);
    if (apart < policy_.interval_bytes) return false;
    if (position == trace_.launches[player_.state().launch()].end_turn) return true;
    if (apart >= policy_.interval_bytes * policy_.interval_limit) return true;
    return (player_.state().pages_made() - pages_at_last_) * sizeof(Page) <= apart;
}

void SnapshotMaker::finish() {
    if (stream_.snapshots.back().position != player_.position()) take();
}

}  // namespace lanescope::trace
