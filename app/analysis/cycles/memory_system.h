// The memory of one multiprocessor and its share of L2 and DRAM: queues with a rate each.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "analysis/cycles/sector_cache.h"
#include "analysis/cycles/sharing.h"

namespace lanescope::analysis {

class MemorySystem {
  public:
    // `active`: multiprocessors that work at the same time.
    MemorySystem(const LaunchStreams& streams, const LaunchContext& context, const Sharing& sharing,
                 double active);

    struct Answer {
        double value_at = 0;    // when the result can be used
        double written_at = 0;  // when what it writes is in L2; 0: it writes nothing there
        Stall reason = Stall::global_memory;
        double flight_bytes = 0;  // that come from L2 or DRAM
    };
    // `repetition`: how often a block of the same recording ran before; its private memory then is other
    // memory. `first_wave`: all multiprocessors are at the same place, and what they share is not in L2 yet.
    Answer access(double now, const MachineOp& op, const MemoryRequest& request, std::uint32_t repetition,
                  bool first_wave);
    // Without a request: all its lanes were switched off, or it is a texture's.
    Answer access_without_request(double now, const MachineOp& op);
    Answer shuffle(double now);

    // When the next access can be queued.
    double can_queue_at(double now);

    double l1_busy() const { return l1_busy_; }
    double l2_bytes() const { return l2_bytes_; }
    double dram_bytes() const { return dram_bytes_; }
    double l2_rate() const { return l2_rate_; }
    double dram_rate() const { return dram_rate_; }
    // Bytes on their way at a time that keep this share of DRAM busy (Little's law).
    double useful_flight() const { return dram_rate_ * device_.dram_latency; }

  private:
    void occupy(double now, double cycles);
    Answer shared(double now, const MachineOp& op, const MemoryRequest& request);
    Answer load(double now, const MachineOp& op, const MemoryRequest& request, std::uint32_t repetition,
                bool first_wave);
    Answer store(double now, const MemoryRequest& request, std::uint32_t repetition);
    Answer atomic(double now, const MachineOp& op, const MemoryRequest& request);
    double contend(std::uint32_t sector, double from, double cycles, unsigned sectors);
    double dram_wait(double now, double service);
    std::uint32_t place(std::uint32_t sector, std::uint32_t repetition) const;

    const LaunchStreams& streams_;
    const LaunchContext& context_;
    const DeviceModel& device_;
    const Sharing& sharing_;
    double active_;
    std::uint32_t slice_sectors_;
    double l2_rate_, dram_rate_;
    SectorCache l1_;
    std::unordered_set<std::uint32_t> fetched_;             // pieces of DRAM
    std::unordered_map<std::uint32_t, float> arrival_;      // when a piece comes, or came
    std::vector<std::uint32_t> requested_;                  // pieces, by the current load
    std::unordered_map<std::uint32_t, double> busy_slice_;  // of L2: until when
    std::vector<std::uint32_t> recent_;                     // slices of the last contended accesses
    std::uint32_t contended_count_ = 0;
    std::deque<double> queue_;
    double unit_ = 0, l2_ = 0, dram_ = 0, writes_ = 0;  // until when each is busy
    double dram_load_ = 0, dram_seen_ = 0;              // recent service, until then
    bool texture_seen_ = false;
    double l1_busy_ = 0, l2_bytes_ = 0, dram_bytes_ = 0;
};

}  // namespace lanescope::analysis
