// The threads of a recorded launch while it is decoded: their warps, the barriers of their blocks, and the
// next warp by the clock.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gpu/traced/decoded_lane.h"
#include "gpu/traced/probes.h"
#include "simt/state/barrier.h"
#include "trace/recorder.h"

namespace lanescope::gpu {

struct DecodedWarp {
    std::uint32_t block = 0, number = 0, place = 0;  // place: of its block among the recorded ones
    std::array<Lane*, 32> lanes{};
    trace::Mask exists = 0;
};

class WarpQueue {
  public:
    // All outlive it. `clock_offsets`: per SM, as of DeviceRecords.
    WarpQueue(const simt::Program& program, const Probes& probes, const trace::RecordStreams& streams,
              const trace::Launch& launch, const std::vector<std::uint64_t>& clock_offsets,
              trace::Recorder& recorder);

    std::vector<Lane>& lanes() { return lanes_; }
    std::uint32_t cut_threads() const { return cut_threads_; }  // streams that were longer than the buffer

    // All warps wait for their turn.
    void fill();
    // Returns the first warp whose next lanes `fits` accepts, else the first warp. If none can continue,
    // threads with cut-off records block a barrier, which is then opened. Null: all have ended.
    using Fits = std::function<bool(DecodedWarp&, trace::Mask)>;
    DecodedWarp* take(const Fits& fits);
    void enqueue(DecodedWarp& warp);
    // The lanes that go on together next, and when; 0: none.
    trace::Mask ready_group(DecodedWarp& warp, std::int64_t& when) const;
    // The time at which a lane passes its point.
    void look_ahead(Lane& lane);
    void end_lane(Lane& lane);
    bool cluster_ended(const DecodedWarp& warp) const { return cluster_of(warp).live == 0; }
    // The blocks of its cluster that are recorded.
    std::vector<std::uint32_t> blocks_around(const DecodedWarp& warp) const;

    // Lanes of the warp come to a barrier of their block: they wait, or pass. `count`: of threads that it is
    // for; 0: all.
    void arrive(DecodedWarp& warp, trace::Mask lanes, std::uint32_t number, std::uint32_t count, bool passes);
    // The same at the barrier of the cluster. Waiting returns whether any lane waits.
    void arrive_at_cluster(DecodedWarp& warp, trace::Mask lanes);
    bool wait_for_cluster(DecodedWarp& warp, trace::Mask lanes);
    // Opens the barriers of its block that have all the lanes they wait for.
    void try_release(DecodedWarp& warp);

    // Notes that the lane's next record does not fit the program.
    void damage(const Lane& lane, const std::string& expected);
    const std::string& damage() const { return damage_; }  // the first; empty: none
    std::string place_of(const Lane& lane, std::uint32_t record) const;

  private:
    struct Barrier {
        std::uint32_t waiting = 0, passed = 0, expected = 0;
        std::vector<Lane*> lanes;
    };
    struct Block {
        std::uint32_t live = 0;
        std::array<Barrier, simt::cluster_barrier + 1> barriers;
        std::uint32_t cluster = 0;  // into clusters_
    };
    struct Cluster {
        std::vector<std::uint32_t> places;               // of its blocks
        std::uint32_t live = 0, arrived = 0, phase = 0;  // at its barrier
    };

    const Cluster& cluster_of(const DecodedWarp& warp) const {
        return clusters_[blocks_[warp.place].cluster];
    }
    void cut_at_unknown_records();
    bool release_all();
    void try_cluster(Cluster& cluster, const DecodedWarp* running);
    void open_cluster(Cluster& cluster, const DecodedWarp* running);
    void release(std::uint32_t place, std::uint32_t number, const DecodedWarp* running);

    const simt::Program& program_;
    const Probes& probes_;
    const trace::RecordStreams& streams_;
    trace::Recorder& recorder_;
    std::vector<Lane> lanes_;
    std::vector<DecodedWarp> warps_;
    std::vector<Block> blocks_;
    std::vector<Cluster> clusters_;
    std::set<std::pair<std::int64_t, std::uint32_t>> queue_;  // when a warp goes on, its number
    std::uint32_t cut_threads_ = 0;
    std::string damage_;
};

}  // namespace lanescope::gpu
