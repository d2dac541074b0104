#include "analysis/happens_before.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::each_lane;
using trace::FenceScope;
using trace::Mask;
using trace::warp_size;

namespace {

// `strong`: a thread as well, but only its strong accesses count.
enum class Level : std::uint8_t { thread, warp, block, strong };

constexpr std::uint64_t key_of(Level level, std::uint64_t number) {
    return number << 2 | static_cast<std::uint64_t>(level);
}
constexpr std::uint64_t key_of(ThreadId thread, Level level = Level::thread) {
    return key_of(level, std::uint64_t{thread.warp} * warp_size + thread.lane);
}

bool is_far(FenceScope scope) {
    return scope != FenceScope::block;
}

}  // namespace

// The releases of strong writes to a location, in order. A reader knows the entries up to the write that it
// read.
struct HappensBefore::Log {
    std::uint32_t length = 0;
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint32_t, Time>>> entries;
    std::unordered_map<const Log*, std::vector<std::pair<std::uint32_t, std::uint32_t>>> references;

    // Latest time of the key in the first `count` entries.
    Time known(std::uint64_t key, std::uint32_t count) const {
        const auto found = entries.find(key);
        return found == entries.end() ? 0 : last_before(found->second, count);
    }
    template <class Value>
    static Value last_before(const std::vector<std::pair<std::uint32_t, Value>>& list, std::uint32_t count) {
        const auto end =
            std::lower_bound(list.begin(), list.end(), count,
                             [](const auto& entry, std::uint32_t place) { return entry.first < place; });
        return end == list.begin() ? Value{} : std::prev(end)->second;
    }
};

void HappensBefore::Knowledge::add(std::uint64_t key, Time time) {
    const auto at = std::lower_bound(entries.begin(), entries.end(), key,
                                     [](const Entry& entry, std::uint64_t k) { return entry.first < k; });
    if (at != entries.end() && at->first == key)
        at->second = std::max(at->second, time);
    else
        entries.insert(at, {key, time});
}

void HappensBefore::Knowledge::add(const Reference& reference) {
    for (Reference& each : references)
        if (each.log == reference.log) {
            each.length = std::max(each.length, reference.length);
            return;
        }
    references.push_back(reference);
}

void HappensBefore::Knowledge::add(const Knowledge& other) {
    if (entries.empty())
        entries = other.entries;
    else
        for (const Entry& entry : other.entries)
            add(entry.first, entry.second);
    for (const Reference& reference : other.references)
        add(reference);
}

HappensBefore::HappensBefore(const trace::Launch& launch)
    : warps_per_block_(launch.warps_per_block()), last_warp_lanes_(~Mask{0}) {
    shape_.grid = launch.grid;
    shape_.block = launch.block;
    shape_.cluster = launch.cluster;
    const auto rest = static_cast<unsigned>(launch.block.count() % warp_size);
    if (rest != 0) last_warp_lanes_ = (Mask{1} << rest) - 1;
}

HappensBefore::~HappensBefore() = default;

void HappensBefore::find_block(std::uint32_t index) {
    std::unique_ptr<Block>& block = blocks_[index];
    if (block == nullptr) {
        block = std::make_unique<Block>();
        block->warps.resize(warps_per_block_);
        for (Warp& warp : block->warps)
            warp.exists = ~Mask{0};
        block->warps.back().exists = last_warp_lanes_;
    }
    last_index_ = index;
    last_block_ = block.get();
}

HappensBefore::Warp& HappensBefore::warp_at(std::uint32_t warp) {
    return block_at(block_of(warp)).warps[warp % warps_per_block_];
}

HappensBefore::Lane& HappensBefore::lane_at(ThreadId thread) {
    Block& block = block_at(block_of(thread.warp));
    Warp& warp = block.warps[thread.warp % warps_per_block_];
    if (warp.lanes == nullptr) warp.lanes = std::make_unique<std::array<Lane, warp_size>>();
    block.lanes_know = true;
    return (*warp.lanes)[thread.lane];
}

void HappensBefore::learn_pending(Lane& lane, bool far) {
    if (!lane.pending_near.empty()) {
        lane.known.add(lane.pending_near);
        lane.pending_near = {};
    }
    if (!far || lane.pending_far.empty()) return;
    lane.known.add(lane.pending_far);
    lane.pending_far = {};
}

void HappensBefore::fence(std::uint32_t number, Mask lanes, FenceScope scope, Time now) {
    Warp& warp = warp_at(number);
    block_at(block_of(number)).fenced = true;
    each_lane(lanes, [&](std::uint8_t lane) {
        warp.near_fence[lane] = now;
        if (is_far(scope)) warp.fence[lane] = now;
        if (warp.lanes != nullptr) learn_pending((*warp.lanes)[lane], is_far(scope));
    });
}

void HappensBefore::exit(std::uint32_t warp, Mask lanes) {
    warp_at(warp).exited |= lanes;
}

std::vector<std::uint32_t> HappensBefore::cluster_around(std::uint32_t block) const {
    if (shape_.cluster.count() <= 1) return {block};
    return shape_.blocks_of_cluster(shape_.cluster_of(block));
}

bool HappensBefore::finished(std::uint32_t block) const {
    const auto found = blocks_.find(block);
    return found != blocks_.end() &&
           std::all_of(found->second->warps.begin(), found->second->warps.end(),
                       [](const Warp& warp) { return (warp.exists & ~warp.exited) == 0; });
}

bool HappensBefore::cluster_finished(std::uint32_t block) const {
    const std::vector<std::uint32_t> blocks = cluster_around(block);
    return std::all_of(blocks.begin(), blocks.end(), [this](std::uint32_t each) { return finished(each); });
}

void HappensBefore::arrive(std::uint32_t number, Mask lanes, std::uint32_t index, bool waits, Time now) {
    Block& block = block_at(block_of(number));
    if (index >= block.barriers.size()) return;
    std::unique_ptr<Barrier>& barrier = block.barriers[index];
    if (barrier == nullptr) barrier = std::make_unique<Barrier>();
    if (waits) {
        barrier->waiting.resize(warps_per_block_);
        barrier->waiting[number % warps_per_block_] |= lanes;
        return;
    }
    each_lane(lanes, [&](std::uint8_t lane) {
        barrier->passed.add(key_of(ThreadId{number, lane}), now);
        if (block.warps[number % warps_per_block_].lanes == nullptr) return;
        Lane& own = lane_at({number, lane});
        learn_pending(own, true);
        barrier->passed.add(own.known);
    });
}

void HappensBefore::release_barrier(std::uint32_t index, std::uint32_t number, Time now) {
    if (number == cluster_barrier) return open_cluster(shape_.cluster_of(index));
    Block& block = block_at(index);
    if (number >= block.barriers.size() || block.barriers[number] == nullptr) return;
    Barrier& barrier = *block.barriers[number];
    barrier.waiting.resize(warps_per_block_);
    bool full = barrier.passed.empty();
    for (std::size_t i = 0; i < block.warps.size(); ++i) {
        const Warp& warp = block.warps[i];
        full = full && (warp.exists & ~warp.exited & ~barrier.waiting[i]) == 0;
    }
    if (full)
        open_fully(block, now);
    else
        open_partly(index, block, barrier, now);
    block.barriers[number].reset();
}

void HappensBefore::open_fully(Block& block, Time now) {
    block.full = now;
    if (!block.lanes_know) return;
    for (Warp& warp : block.warps) {
        if (warp.lanes == nullptr) continue;
        for (Lane& lane : *warp.lanes) {
            learn_pending(lane, false);
            block.known.add(lane.known);
            if (lane.pending_far.empty()) continue;
            block.loose.add(lane.pending_far);
            block.loosened_at = now;
        }
        warp.lanes.reset();
    }
    block.lanes_know = false;
}

void HappensBefore::open_partly(std::uint32_t index, Block& block, Barrier& barrier, Time now) {
    Knowledge together = std::move(barrier.passed);
    for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
        const Mask waiting = barrier.waiting[i];
        if (waiting == 0) continue;
        Warp& warp = block.warps[i];
        const std::uint32_t number = index * warps_per_block_ + i;
        if ((warp.exists & ~warp.exited & ~waiting) == 0)
            together.add(key_of(Level::warp, number), now);
        else
            each_lane(waiting, [&](std::uint8_t lane) { together.add(key_of(ThreadId{number, lane}), now); });
        if (warp.lanes == nullptr) continue;
        each_lane(waiting, [&](std::uint8_t lane) {
            learn_pending((*warp.lanes)[lane], true);
            together.add((*warp.lanes)[lane].known);
        });
    }
    for (std::uint32_t i = 0; i < block.warps.size(); ++i)
        each_lane(barrier.waiting[i], [&](std::uint8_t lane) {
            lane_at({index * warps_per_block_ + i, lane}).known = together;
        });
}

void HappensBefore::arrive_at_cluster(std::uint32_t number, Mask lanes, bool relaxed, Time now) {
    Block& block = block_at(block_of(number));
    Warp& warp = block.warps[number % warps_per_block_];
    Cluster& cluster = clusters_[shape_.cluster_of(block_of(number))];
    cluster.arrived = true;
    if (warp.arrived == 0) warp.first_arrival = now;
    warp.arrived |= lanes;
    warp.may_pass &= ~lanes;
    Knowledge& released = cluster.released;
    if (relaxed) {
        warp.first_arrival = 0;
        each_lane(lanes, [&](std::uint8_t lane) {
            if (warp.fence[lane] != 0) released.add(released_by({number, lane}, true, warp.fence[lane], now));
        });
        return;
    }
    if ((warp.exists & ~warp.exited & ~lanes) == 0)
        released.add(key_of(Level::warp, number), now);
    else
        each_lane(lanes, [&](std::uint8_t lane) { released.add(key_of(ThreadId{number, lane}), now); });
    // What the threads know of others, by barriers of the block and of the warp among them.
    if (block.full != 0) released.add(key_of(Level::block, block_of(number)), block.full);
    if (warp.full != 0) released.add(key_of(Level::warp, number), warp.full);
    released.add(block.known);
    released.add(block.loose);
    each_lane(lanes, [&](std::uint8_t lane) {
        for (std::uint8_t other = 0; warp.pairs != nullptr && other < warp_size; ++other)
            if (const Time time = (*warp.pairs)[lane][other]; time != 0 && other != lane)
                released.add(key_of(ThreadId{number, other}), time);
        if (warp.lanes == nullptr) return;
        learn_pending((*warp.lanes)[lane], true);
        released.add((*warp.lanes)[lane].known);
    });
}

void HappensBefore::wait_for_cluster(std::uint32_t number, Mask lanes) {
    Warp& warp = warp_at(number);
    const Mask passing = lanes & warp.may_pass;
    warp.may_pass &= ~lanes;
    warp.waiting |= lanes & warp.arrived;
    const Log* opened = clusters_[shape_.cluster_of(block_of(number))].opened;
    if (opened == nullptr) return;
    each_lane(passing, [&](std::uint8_t lane) {
        lane_at({number, lane}).known.add(Reference{opened, opened->length});
    });
}

// The trace has a release for each block of the cluster; the first one opens the barrier for all.
void HappensBefore::open_cluster(std::uint32_t number) {
    Cluster& cluster = clusters_[number];
    if (!cluster.arrived) return;
    cluster.opened = append(cluster.opened, cluster.released);
    cluster.released = {};
    cluster.arrived = false;
    const Reference opened{cluster.opened, cluster.opened->length};
    for (const std::uint32_t index : shape_.blocks_of_cluster(number)) {
        Block& block = block_at(index);
        bool all_wait = true;
        Time least = ~Time{0};
        for (const Warp& warp : block.warps) {
            all_wait = all_wait && (warp.exists & ~warp.exited & ~warp.waiting) == 0;
            if (warp.waiting != 0) least = std::min(least, warp.first_arrival);
        }
        if (all_wait && least != ~Time{0}) {
            block.full = std::max(block.full, least);
            block.known.add(opened);
        }
        for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
            Warp& warp = block.warps[i];
            if (!all_wait)
                each_lane(warp.waiting, [&](std::uint8_t lane) {
                    lane_at({index * warps_per_block_ + i, lane}).known.add(opened);
                });
            warp.may_pass = warp.arrived & ~warp.waiting;
            warp.arrived = warp.waiting = 0;
        }
    }
}

void HappensBefore::meet(std::uint32_t number, Mask lanes, Time now, std::uint32_t pc) {
    Warp& warp = warp_at(number);
    lanes &= warp.exists;
    if (warp.lanes != nullptr) {
        Knowledge together;
        each_lane(lanes, [&](std::uint8_t lane) { together.add((*warp.lanes)[lane].known); });
        if (!together.empty())
            each_lane(lanes, [&](std::uint8_t lane) { (*warp.lanes)[lane].known = together; });
    }
    meet_in(warp, lanes, now, warp.full, warp.pairs);
    if (pc == trace::none) return meet_in(warp, lanes, now, warp.synced, warp.synced_pairs);
    warp.exchanged = {now, pc};
}

void HappensBefore::meet_in(const Warp& warp, Mask lanes, Time now, Time& full,
                            std::unique_ptr<Matrix>& pairs) {
    if ((warp.exists & ~warp.exited & ~lanes) == 0) {
        full = now;
        pairs.reset();
        return;
    }
    if (pairs == nullptr) pairs = std::make_unique<Matrix>();
    std::array<Time, warp_size> known{};
    each_lane(lanes, [&](std::uint8_t lane) {
        for (unsigned other = 0; other < warp_size; ++other)
            known[other] = std::max(known[other], (*pairs)[lane][other]);
    });
    each_lane(lanes, [&](std::uint8_t lane) { known[lane] = now; });
    each_lane(lanes, [&](std::uint8_t lane) { (*pairs)[lane] = known; });
}

// What a strong write of the thread releases: all that its last fence covers (`own_fence`, 0: none) and all
// that other threads of its block fenced before a barrier.
HappensBefore::Knowledge HappensBefore::released_by(ThreadId thread, bool far, Time own_fence, Time now) {
    Block& block = block_at(block_of(thread.warp));
    Knowledge released;
    const std::uint32_t first = thread.warp - thread.warp % warps_per_block_;
    const auto add_fenced = [&](std::uint32_t number, Time up_to) {
        const Warp& warp = block.warps[number - first];
        const auto& fences = far ? warp.fence : warp.near_fence;
        for (std::uint8_t lane = 0; lane < warp_size; ++lane)
            if (const Time time = std::min(fences[lane], up_to); time != 0)
                released.add(key_of(ThreadId{number, lane}), time);
    };
    if (own_fence != 0) released.add(key_of(thread), own_fence);
    if (own_fence > block.full && block.full != 0)
        released.add(key_of(Level::block, block_of(thread.warp)), block.full);
    else if (block.full != 0)
        for (std::uint32_t i = 0; i < warps_per_block_; ++i)
            add_fenced(first + i, block.full);
    const Warp& own = block.warps[thread.warp - first];
    if (own_fence > own.full && own.full != 0)
        released.add(key_of(Level::warp, thread.warp), own.full);
    else if (own.full != 0)
        add_fenced(thread.warp, own.full);
    if (own.pairs != nullptr)
        for (std::uint8_t lane = 0; lane < warp_size; ++lane)
            if (const Time time = (*own.pairs)[thread.lane][lane]; time != 0 && lane != thread.lane)
                released.add(
                    key_of(ThreadId{thread.warp, lane}),
                    own_fence > time ? time : std::min(time, (far ? own.fence : own.near_fence)[lane]));
    released.add(block.known);
    released.add(block.loose);
    if (own.lanes != nullptr) released.add((*own.lanes)[thread.lane].known);
    if (!released.empty()) released.add(key_of(thread, Level::strong), now);
    return released;
}

HappensBefore::Log* HappensBefore::append(Log* log, const Knowledge& released) {
    if (log == nullptr) log = logs_.emplace_back(std::make_unique<Log>()).get();
    const std::uint32_t place = log->length++;
    for (const Entry& entry : released.entries) {
        auto& list = log->entries[entry.first];
        if (list.empty() || list.back().second < entry.second) list.emplace_back(place, entry.second);
    }
    for (const Reference& reference : released.references) {
        if (reference.log == log) continue;  // a part of the same list
        auto& list = log->references[reference.log];
        if (list.empty() || list.back().second < reference.length) list.emplace_back(place, reference.length);
    }
    return log;
}

void HappensBefore::strong_write(ThreadId thread, Location location, Strength strength, Time now) {
    Block& block = block_at(block_of(thread.warp));
    const Warp& warp = block.warps[thread.warp % warps_per_block_];
    const bool releases = strength.releases || block.fenced;
    if (!releases && published_.empty()) return;
    auto found = published_.find(location);
    if (!strength.chained && found != published_.end()) {
        published_.erase(found);
        found = published_.end();
    }
    if (!releases) return;
    const Time near = strength.releases ? now : warp.near_fence[thread.lane];
    const Time far = strength.releases ? now : warp.fence[thread.lane];
    const Knowledge to_block = released_by(thread, false, near, now);
    if (to_block.empty()) return;
    if (found == published_.end()) found = published_.try_emplace(location).first;
    Log*& own = found->second.near[block_of(thread.warp)];
    own = append(own, to_block);
    if (!is_far(strength.scope)) return;
    const Knowledge to_all = released_by(thread, true, far, now);
    if (!to_all.empty()) found->second.far = append(found->second.far, to_all);
}

void HappensBefore::strong_read(ThreadId thread, Location location, Strength strength) {
    if (published_.empty()) return;
    const auto found = published_.find(location);
    if (found == published_.end()) return;
    Lane& lane = lane_at(thread);
    const auto near = found->second.near.find(block_of(thread.warp));
    if (near != found->second.near.end())
        lane.pending_near.add(Reference{near->second, near->second->length});
    const Log* far = found->second.far;
    if (far != nullptr && is_far(strength.scope)) lane.pending_far.add(Reference{far, far->length});
    if (strength.acquires) learn_pending(lane, true);
}

void HappensBefore::weak_write(Location location) {
    if (!published_.empty()) published_.erase(location);
}

bool HappensBefore::ordered_otherwise(const Block& block, ThreadId earlier, Time at, ThreadId later,
                                      bool strong) const {
    const Warp& warp = block.warps[later.warp % warps_per_block_];
    if (earlier.warp == later.warp) {
        if (at <= warp.full) return true;
        if (warp.pairs != nullptr && at <= (*warp.pairs)[later.lane][earlier.lane]) return true;
    }
    if (warp.lanes != nullptr && knows((*warp.lanes)[later.lane].known, earlier, at, strong)) return true;
    if (!block.known.empty() && knows(block.known, earlier, at, strong)) return true;
    return !block.loose.empty() && knows(block.loose, earlier, at, strong);
}

bool HappensBefore::acquired_by_barrier(ThreadId earlier, Time at, ThreadId later, bool strong) {
    const Block& block = block_at(block_of(later.warp));
    if (block.loose.empty() || block_of(earlier.warp) == block_of(later.warp)) return false;
    const Warp& warp = block.warps[later.warp % warps_per_block_];
    if (warp.fence[later.lane] > block.loosened_at) return false;
    if (warp.lanes != nullptr && knows((*warp.lanes)[later.lane].known, earlier, at, strong)) return false;
    return block.known.empty() || !knows(block.known, earlier, at, strong);
}

bool HappensBefore::synced_otherwise(const Block& block, const Warp& warp, ThreadId earlier, Time at,
                                     ThreadId later) const {
    if (warp.synced_pairs != nullptr && at <= (*warp.synced_pairs)[later.lane][earlier.lane]) return true;
    if (warp.lanes != nullptr && knows((*warp.lanes)[later.lane].known, earlier, at, false)) return true;
    return !block.known.empty() && knows(block.known, earlier, at, false);
}

bool HappensBefore::ordered_by_fence(ThreadId earlier, Time at, ThreadId later) {
    const Warp& warp = warp_at(later.warp);
    if (warp.lanes == nullptr) return false;
    const Lane& lane = (*warp.lanes)[later.lane];
    return knows(lane.pending_far, earlier, at, false) || knows(lane.pending_near, earlier, at, false);
}

bool HappensBefore::knows(const Knowledge& known, ThreadId thread, Time at, bool strong) const {
    const std::uint64_t keys[] = {key_of(thread), key_of(Level::warp, thread.warp),
                                  key_of(Level::block, block_of(thread.warp)),
                                  key_of(thread, strong ? Level::strong : Level::thread)};
    for (const std::uint64_t key : keys) {
        const auto entry =
            std::lower_bound(known.entries.begin(), known.entries.end(), key,
                             [](const Entry& each, std::uint64_t k) { return each.first < k; });
        if (entry != known.entries.end() && entry->first == key && at <= entry->second) return true;
    }
    if (known.references.empty()) return false;
    constexpr std::size_t most = 4096;
    std::unordered_map<const Log*, std::uint32_t> seen;
    std::vector<Reference> next = known.references;
    for (std::size_t i = 0; i < next.size(); ++i) {
        const Reference from = next[i];
        for (const std::uint64_t key : keys)
            if (at <= from.log->known(key, from.length)) return true;
        for (const auto& [log, list] : from.log->references) {
            const std::uint32_t length = Log::last_before(list, from.length);
            std::uint32_t& before = seen[log];
            if (length <= before) continue;
            before = length;
            next.push_back({log, length});
        }
        if (next.size() > most) return true;
    }
    return false;
}

}  // namespace lanescope::analysis
