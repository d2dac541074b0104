#include "cudart/check/stream_order.h"

#include <algorithm>

namespace lanescope::cudart {

namespace {

constexpr std::size_t most_pending = 256;

}  // namespace

void StreamOrder::join(Clock& into, const Clock& from) {
    for (const auto& [stream, count] : from)
        into[stream] = std::max(into[stream], count);
}

bool StreamOrder::knows(const Clock& clock, const Work& work) {
    const auto known = clock.find(work.stream);
    return known != clock.end() && known->second >= work.count;
}

void StreamOrder::create_stream(std::uint64_t stream, bool blocking) {
    several_ = true;
    blocking_[stream] = blocking;
    streams_[stream];
}

void StreamOrder::begin(std::uint64_t stream) {
    Clock& clock = streams_[stream];
    join(clock, host_);
    if (stream != 0) {
        if (blocking_[stream]) join(clock, streams_[0]);
        return;
    }
    for (const auto& [other, blocking] : blocking_)
        if (blocking) join(clock, streams_[other]);
}

void StreamOrder::record_event(std::uint64_t event, std::uint64_t stream) {
    begin(stream);
    events_[event] = streams_[stream];
}

void StreamOrder::wait_for_event(std::uint64_t event, std::uint64_t stream) {
    begin(stream);
    join(streams_[stream], events_[event]);
}

void StreamOrder::wait_for_device() {
    for (const auto& [stream, clock] : streams_)
        join(host_, clock);
    drop_known();
}

void StreamOrder::wait_for_stream(std::uint64_t stream) {
    begin(stream);
    join(host_, streams_[stream]);
    drop_known();
}

void StreamOrder::wait_for_event(std::uint64_t event) {
    join(host_, events_[event]);
    drop_known();
}

void StreamOrder::drop_known() {
    std::erase_if(pending_, [&](const Work& work) { return knows(host_, work); });
}

bool StreamOrder::is_pending(std::uint64_t number) const {
    return std::any_of(pending_.begin(), pending_.end(),
                       [&](const Work& work) { return work.number == number; });
}

std::optional<std::uint64_t> StreamOrder::pending_write(std::uint64_t address) const {
    const auto found = std::find_if(pending_.rbegin(), pending_.rend(), [&](const Work& work) {
        return work.touched.count_changed(address, address + 1) != 0;
    });
    return found == pending_.rend() ? std::nullopt : std::optional(found->number);
}

std::optional<StreamOrder::Collision> StreamOrder::submit(std::uint64_t stream, std::uint64_t number,
                                                          Touched touched) {
    begin(stream);
    Clock& clock = streams_[stream];
    std::optional<Collision> found;
    for (const Work& earlier : pending_) {
        if (knows(clock, earlier)) continue;
        if (const auto hit = earlier.touched.collision(touched)) {
            found = Collision{earlier.number, hit->address, hit->first, hit->second};
            break;
        }
    }
    Work work{stream, ++clock[stream], number, std::move(touched)};
    if (pending_.size() >= most_pending) {
        pending_.pop_front();
        forgot_ = true;
    }
    pending_.push_back(std::move(work));
    return found;
}

}  // namespace lanescope::cudart
