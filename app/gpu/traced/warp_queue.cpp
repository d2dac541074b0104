#include "gpu/traced/warp_queue.h"

#include <algorithm>
#include <limits>
#include <map>

#include "gpu/traced/operands.h"

namespace lanescope::gpu {

using trace::Mask;
using trace::Record;
using trace::RecordKind;

namespace {

constexpr unsigned max_candidates = 512;  // warps that are asked whether they fit before an earlier one
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

}  // namespace

WarpQueue::WarpQueue(const simt::Program& program, const Probes& probes, const trace::RecordStreams& streams,
                     const trace::Launch& launch, const std::vector<std::uint64_t>& clock_offsets,
                     trace::Recorder& recorder)
    : program_(program),
      probes_(probes),
      streams_(streams),
      recorder_(recorder),
      lanes_(streams.threads()),
      blocks_(streams.blocks.size()) {
    std::map<std::uint32_t, std::uint32_t> numbers;  // of the grid's clusters among the recorded ones
    for (std::uint32_t place = 0; place < streams.blocks.size(); ++place) {
        blocks_[place].live = streams.block_threads;
        const auto [known, is_new] = numbers.try_emplace(launch.cluster_of(streams.blocks[place]),
                                                         static_cast<std::uint32_t>(clusters_.size()));
        if (is_new) clusters_.emplace_back();
        blocks_[place].cluster = known->second;
        clusters_[known->second].places.push_back(place);
        clusters_[known->second].live += streams.block_threads;
        for (std::uint32_t first = 0; first < streams.block_threads; first += 32) {
            DecodedWarp made{streams.blocks[place], first / 32, place, {}, 0};
            for (std::uint32_t i = 0; i < 32 && first + i < streams.block_threads; ++i) {
                Lane& lane = lanes_[place * streams.block_threads + first + i];
                lane.slot = place * streams.block_threads + first + i;
                made.lanes[i] = &lane;
                made.exists |= Mask{1} << i;
            }
            warps_.push_back(made);
        }
    }
    for (Lane& lane : lanes_) {
        lane.count = std::min(streams.counts[lane.slot], streams.capacity);
        if (streams.counts[lane.slot] > streams.capacity) ++cut_threads_;
    }
    cut_at_unknown_records();
    for (Lane& lane : lanes_) {
        if (lane.count == 0) continue;
        const std::uint32_t sm = streams.at(lane.slot, 0).extra;
        if (sm < clock_offsets.size()) lane.clock_offset = static_cast<std::int64_t>(clock_offsets[sm]);
    }
}

// Records come from another process. Every table that is read by a record's pc has a row for each pc of the
// program.
void WarpQueue::cut_at_unknown_records() {
    for (std::uint32_t k = 0; k < streams_.capacity; ++k)
        for (Lane& lane : lanes_) {
            if (k >= lane.count) continue;
            const Record& record = streams_.at(lane.slot, k);
            const RecordKind kind = kind_of(record);
            if (kind != RecordKind::empty && kind <= RecordKind::end && pc_of(record) < program_.code.size())
                continue;
            lane.count = k;
            if (damage_.empty()) damage_ = place_of(lane, k) + " is not one of this program";
        }
}

std::string WarpQueue::place_of(const Lane& lane, std::uint32_t record) const {
    return "record " + std::to_string(record) + " of thread " +
           std::to_string(lane.slot % streams_.block_threads) + " of block " +
           std::to_string(streams_.blocks[lane.slot / streams_.block_threads]);
}

void WarpQueue::damage(const Lane& lane, const std::string& expected) {
    if (!damage_.empty()) return;
    damage_ = place_of(lane, lane.next) + ": expected " + expected + " at PTX line " +
              std::to_string(program_.description.code_rows[lane.pc].ptx_line);
}

void WarpQueue::end_lane(Lane& lane) {
    lane.live = false;
    Block& block = blocks_[lane.slot / streams_.block_threads];
    --block.live;
    --clusters_[block.cluster].live;
}

void WarpQueue::look_ahead(Lane& lane) {
    if (!probes_.point[lane.pc]) return;
    const Record* record = lane.peek(streams_);
    if (record == nullptr) return end_lane(lane);  // the rest was cut off
    if (record->head != trace::record_head(RecordKind::point, lane.pc)) {
        damage(lane, "a point");
        return end_lane(lane);
    }
    // A wait that succeeds may last: what it finds holds when it ends.
    const Record* result = tests_barrier_object(program_.ops[lane.pc])
                               ? lane.peek(streams_, 1u + probes_.operands[lane.pc])
                               : nullptr;
    const bool waited = result != nullptr && kind_of(*result) == RecordKind::access && result->value != 0;
    for (std::uint32_t ahead = 1; waited; ++ahead) {
        const Record* next = lane.peek(streams_, ahead);
        if (next == nullptr) break;
        if (kind_of(*next) != RecordKind::point) continue;
        record = next;
        break;
    }
    lane.time = static_cast<std::int64_t>(record->value - static_cast<std::uint64_t>(lane.clock_offset));
}

Mask WarpQueue::ready_group(DecodedWarp& warp, std::int64_t& when) const {
    when = never;
    unsigned first = 32;
    each_lane(warp.exists, [&](unsigned lane) {
        const Lane& each = *warp.lanes[lane];
        if (!each.live || each.waits || each.time >= when) return;
        when = each.time;
        first = lane;
    });
    if (first == 32) return 0;
    const Lane& leading = *warp.lanes[first];
    Mask group = 0;
    each_lane(warp.exists, [&](unsigned lane) {
        const Lane& each = *warp.lanes[lane];
        const bool same = each.live && !each.waits && each.time == when && each.pc == leading.pc &&
                          each.frames.size() == leading.frames.size() &&
                          each.frames.back().return_pc == leading.frames.back().return_pc;
        if (same) group |= Mask{1} << lane;
    });
    return group;
}

void WarpQueue::enqueue(DecodedWarp& warp) {
    std::int64_t when = never;
    if (ready_group(warp, when) != 0)
        queue_.insert({when, static_cast<std::uint32_t>(&warp - warps_.data())});
}

void WarpQueue::fill() {
    queue_.clear();
    for (DecodedWarp& each : warps_)
        enqueue(each);
}

DecodedWarp* WarpQueue::take(const Fits& fits) {
    while (queue_.empty())
        if (!release_all()) return nullptr;
    auto chosen = queue_.begin();
    unsigned asked = 0;
    for (auto at = queue_.begin(); at != queue_.end() && asked < max_candidates; ++at, ++asked) {
        DecodedWarp& warp = warps_[at->second];
        std::int64_t when = never;
        if (!fits(warp, ready_group(warp, when))) continue;
        chosen = at;
        break;
    }
    DecodedWarp& warp = warps_[chosen->second];
    queue_.erase(chosen);
    return &warp;
}

// --- Barriers of the block ---------------------------------------------------------------------------------

void WarpQueue::arrive(DecodedWarp& warp, Mask lanes, std::uint32_t number, std::uint32_t count,
                       bool passes) {
    Barrier& waited = blocks_[warp.place].barriers[number];
    if (count != 0) waited.expected = count;
    if (!passes)
        each_lane(lanes, [&](unsigned lane) {
            warp.lanes[lane]->waits = true;
            waited.lanes.push_back(warp.lanes[lane]);
        });
    const auto lanes_here = static_cast<std::uint32_t>(std::popcount(lanes));
    (passes ? waited.passed : waited.waiting) += count != 0 ? 32 : lanes_here;
}

void WarpQueue::arrive_at_cluster(DecodedWarp& warp, Mask lanes) {
    Cluster& cluster = clusters_[blocks_[warp.place].cluster];
    each_lane(lanes, [&](unsigned lane) { warp.lanes[lane]->cluster_phase = cluster.phase; });
    cluster.arrived += static_cast<std::uint32_t>(std::popcount(lanes));
    try_cluster(cluster, &warp);
}

bool WarpQueue::wait_for_cluster(DecodedWarp& warp, Mask lanes) {
    Block& block = blocks_[warp.place];
    bool any = false;
    each_lane(lanes, [&](unsigned number) {
        Lane& lane = *warp.lanes[number];
        if (lane.cluster_phase != clusters_[block.cluster].phase) return;
        lane.waits = any = true;
        block.barriers[simt::cluster_barrier].lanes.push_back(&lane);
    });
    return any;
}

void WarpQueue::try_cluster(Cluster& cluster, const DecodedWarp* running) {
    if (cluster.arrived != 0 && cluster.arrived >= cluster.live) open_cluster(cluster, running);
}

void WarpQueue::open_cluster(Cluster& cluster, const DecodedWarp* running) {
    ++cluster.phase;
    cluster.arrived = 0;
    for (const std::uint32_t place : cluster.places)
        release(place, simt::cluster_barrier, running);
}

std::vector<std::uint32_t> WarpQueue::blocks_around(const DecodedWarp& warp) const {
    std::vector<std::uint32_t> blocks;
    for (const std::uint32_t place : cluster_of(warp).places)
        blocks.push_back(streams_.blocks[place]);
    return blocks;
}

void WarpQueue::try_release(DecodedWarp& warp) {
    Block& block = blocks_[warp.place];
    try_cluster(clusters_[block.cluster], &warp);
    for (std::uint32_t number = 0; number < simt::cluster_barrier; ++number) {
        const Barrier& waited = block.barriers[number];
        const std::uint32_t needed = waited.expected != 0 ? waited.expected : block.live;
        if (!waited.lanes.empty() && waited.waiting + waited.passed >= needed)
            release(warp.place, number, &warp);
    }
}

// False: no lane waits at any.
bool WarpQueue::release_all() {
    bool any = false;
    for (Cluster& cluster : clusters_) {
        const bool waited =
            std::any_of(cluster.places.begin(), cluster.places.end(), [&](std::uint32_t place) {
                return !blocks_[place].barriers[simt::cluster_barrier].lanes.empty();
            });
        if (waited) open_cluster(cluster, nullptr);
        any = any || waited;
    }
    for (std::uint32_t place = 0; place < blocks_.size(); ++place)
        for (std::uint32_t number = 0; number < simt::cluster_barrier; ++number)
            if (!blocks_[place].barriers[number].lanes.empty()) {
                release(place, number, nullptr);
                any = true;
            }
    return any;
}

// `running`: the warp that is queued when its turn has ended.
void WarpQueue::release(std::uint32_t place, std::uint32_t number, const DecodedWarp* running) {
    Barrier opened;
    std::swap(opened, blocks_[place].barriers[number]);
    recorder_.barrier_release(streams_.blocks[place], number);
    std::set<std::uint32_t> woken;
    const std::uint32_t per_block = (streams_.block_threads + 31) / 32;
    for (Lane* lane : opened.lanes) {
        lane->waits = false;
        if (lane->live) look_ahead(*lane);
        woken.insert(place * per_block + lane->slot % streams_.block_threads / 32);
    }
    for (const std::uint32_t each : woken)
        if (&warps_[each] != running) enqueue(warps_[each]);
}

}  // namespace lanescope::gpu
