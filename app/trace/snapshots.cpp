#include "trace/snapshots.h"

namespace lanescope::trace {

std::uint64_t replay_cost(const Trace& trace, std::uint64_t position) {
    constexpr std::uint64_t bytes_per_turn = 32;
    return events_end(trace, position) + position * bytes_per_turn;
}

SnapshotMaker::SnapshotMaker(const Trace& trace, EventStream& stream, SnapshotPolicy policy)
    : trace_(trace), stream_(stream), policy_(policy), player_(trace) {}

void SnapshotMaker::start() { take(); }

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
        if (!player_.forward()) return false;
        const std::uint64_t apart = replay_cost(trace_, player_.position()) -
                                    replay_cost(trace_, stream_.snapshots.back().position);
        if (apart < policy_.interval_bytes) continue;
        const std::uint64_t pages = player_.state().pages_made() - pages_at_last_;
        if (pages * sizeof(Page) <= apart || apart >= policy_.interval_bytes * policy_.interval_limit) take();
    }
    return true;
}

void SnapshotMaker::finish() {
    if (stream_.snapshots.back().position != player_.position()) take();
}

}  // namespace lanescope::trace
