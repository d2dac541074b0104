// The records of a launch on a device: counted, made room for, written, read back.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/traced/trace_device.h"
#include "ptx/instrument.h"
#include "simt/program/program.h"
#include "trace/streams.h"

namespace lanescope::gpu {

struct TracedLimits {
    double seconds = 60;                          // of one launch
    std::uint64_t decoded_records = 16ull << 20;  // of one launch: what goes into the trace
    std::uint64_t endless_records = 1ull << 17;   // the same of a launch that did not end within its time
    std::uint64_t memory_bytes = 4ull << 30;      // of buffers
};

class LaunchRecorder {
  public:
    // `device` outlives it.
    // `grids`: kernels launch kernels.
    LaunchRecorder(std::shared_ptr<const simt::Program> program, TraceDevice& device, TracedLimits limits,
                   bool grids)
        : program_(std::move(program)), device_(device), limits_(limits), grids_(grids) {}

    Result<void> find_probe_state();  // once, when the device has its code
    // The memory that kernels may use: where each part begins and ends. None: it is not known.
    Result<void> set_ranges(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& ranges);
    // Runs the launch and counts the records of each thread, those of child grids behind those of the grid.
    Result<TraceDevice::Ran> count(const simt::LaunchRequest& request, const std::atomic<bool>* cancel,
                                   std::vector<std::uint32_t>& counts);
    // In place of counting, for a launch that must not run twice: as many as there is room for.
    std::vector<std::uint32_t> assumed_counts(const simt::LaunchRequest& request);
    // On the device as many blocks as its buffer takes; in the trace those of them that were asked for, up to
    // a limit. `launch`: its number.
    void choose_blocks(const simt::LaunchRequest& request, std::uint32_t launch,
                       const std::vector<std::uint32_t>& counts);
    // Runs it again and keeps the records of the chosen blocks. What it prints is appended to `console`.
    Result<TraceDevice::Ran> record(const simt::LaunchRequest& request, const std::atomic<bool>* cancel,
                                    std::string& console);

    // After a launch that count() began and that did not end: what the threads recorded first, as many
    // records as may go into the trace. Errors: the device did not keep them; the connection's.
    Result<void> recover(const simt::LaunchRequest& request, std::uint32_t launch, simt::Ending ending);

    // After recover(): the access before which the launch was stopped, and the slot of its thread.
    const ptx::Verdict& verdict() const { return verdict_; }
    std::uint64_t verdict_slot() const { return (verdict_.cursor - kept_.address - kept_.cursors) / 8; }

    // The last launch that was recorded:
    trace::RecordStreams& streams() { return streams_; }  // of the blocks that go into the trace
    DeviceRecords& records() { return records_; }         // all that the device holds
    bool narrowed() const { return narrowed_; }           // fewer blocks than were asked for
    // The slots of a grid of the last launch. False: it has no records, because there was no room, or because
    // they are those of another grid.
    bool take_slots(std::uint64_t first_slot, std::uint64_t threads);
    // Its records, of the blocks that the request asks for.
    trace::RecordStreams grid_streams(std::uint64_t first_slot, const simt::LaunchRequest& request) const;

  private:
    enum class Use : std::uint8_t { cursors, slots, ranges };

    Result<std::uint64_t> room(Use use, std::uint64_t size_bytes);
    Result<void> set_probe_state(ptx::ProbeState value, std::uint64_t threads);
    Result<void> reset_slots(std::uint64_t used);  // what child grids take comes behind them
    Result<std::uint64_t> used_slots();
    Result<TraceDevice::Ran> record_family(const simt::LaunchRequest& request,
                                           const std::atomic<bool>* cancel, std::string& console);
    Result<void> read_family(std::uint64_t slots, std::uint64_t place);
    static std::vector<std::uint32_t> blocks_that_fit(const simt::LaunchRequest& request,
                                                      const std::vector<std::uint32_t>& wanted,
                                                      const std::vector<std::uint32_t>& counts,
                                                      std::uint64_t room_for, std::uint32_t& capacity);
    Result<bool> record_while_counting(std::uint64_t threads);
    void cut_at_gaps();
    Result<void> read_starts();
    void find_clock_offsets();
    void describe_registers();
    // `capacity`: of each thread, at most.
    Result<void> read_streams(std::uint32_t capacity);

    std::shared_ptr<const simt::Program> program_;
    TraceDevice& device_;
    TracedLimits limits_;
    std::uint64_t probe_state_ = 0;               // address
    std::uint64_t ranges_ = 0, range_count_ = 0;  // address; see ptx::ProbeState
    ptx::Verdict verdict_;
    std::map<std::pair<Use, std::uint64_t>, std::uint64_t> scratch_;  // by use and size class
    DeviceRecords records_;
    std::vector<std::uint32_t> traced_;  // blocks that go into the trace
    trace::RecordStreams streams_;
    bool narrowed_ = false;
    // Families:
    bool grids_ = false, assumed_ = false;
    std::uint64_t slots_ = 0;
    trace::RecordStreams family_;    // every slot as a block of one thread
    std::vector<bool> taken_slots_;  // of the family: those of grids that are known

    // Where the records are while they are counted, in memory that outlives the launch: records, then
    // cursors and a verdict.
    struct Kept {
        std::uint64_t address = 0, threads = 0, cursors = 0;  // cursors: from the address on
        std::uint32_t capacity = 0;                           // 0: nothing is kept
    } kept_;
};

}  // namespace lanescope::gpu
