// A device for traced runs: instrumented code beside what every device does. The GPU is one. The CPU machine
// is another: it runs the instrumented code and tests instrumentation and decoder without a GPU.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gpu/clean/device.h"
#include "simt/launch/launch.h"
#include "simt/texture/texture.h"
#include "trace/record.h"

namespace lanescope::gpu {

// The records of a whole launch in the device's memory.
struct DeviceRecords {
    std::uint64_t address = 0;          // on the device
    std::vector<std::uint32_t> blocks;  // recorded ones, ascending; slot order
    std::uint32_t launch = 0, block_threads = 0, capacity = 0;
    std::vector<std::uint32_t> counts;         // per slot
    std::vector<trace::Record> begins;         // per slot: its first record
    std::vector<std::uint64_t> clocks;         // per slot: %clock64 of its first point
    std::vector<std::uint64_t> clock_offsets;  // per SM: its clock at time 0, when the first thread began
    std::vector<std::uint64_t> turn_times;     // of the launch's turns in the trace
    // Per function and variable slot: the registers that value records may name for it.
    std::vector<std::vector<std::vector<std::uint32_t>>> slot_registers;

    std::uint32_t threads() const { return static_cast<std::uint32_t>(blocks.size()) * block_threads; }
};

// Its name is shown as the trace's engine.
class TraceDevice : public Device {
  public:
    virtual std::uint32_t multiprocessors() const { return 0; }         // 0: not known
    virtual std::string newest_target() const { return "compute_90"; }  // of PTX that it runs
    // Whether code stops before an access that would fault: after a fault of the hardware, the driver may
    // break what OpenGL draws on that GPU. False: not all memory that code may use is known.
    virtual bool checks_accesses() const { return true; }
    virtual double cycles_per_ns() const = 0;        // of the SM clock
    virtual std::uint64_t record_bytes() const = 0;  // how much memory records may take

    // Everything else on the device is gone then, except memory for records.
    virtual Result<void> load(const std::string& instrumented_ptx) = 0;
    // `rows` pieces of `width_bytes` that lie `pitch_bytes` apart, one behind the other into `bytes`.
    virtual Result<void> read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                                   std::uint64_t rows, std::span<std::byte> bytes) = 0;
    virtual Result<void> copy(Address to, Address from, std::uint64_t size_bytes) = 0;
    virtual Result<Address> symbol(const std::string& mangled) = 0;
    // The handle of a texture object over allocated memory; each launch finds what the memory then holds.
    virtual Result<std::uint64_t> texture(const simt::Texture& texture) = 0;
    // At least `size_bytes` for records, aligned to 16; the same memory is given again and again.
    virtual Result<Address> records(std::uint64_t size_bytes) = 0;

    // Makes such memory of at most `most_bytes`; records() and record_bytes() then mean this memory. Error:
    // the device cannot.
    virtual Result<ExportedMemory> share_records(std::uint64_t /*most_bytes*/) {
        return error(name() + " does not share its memory");
    }
    // The same with memory that another process has shared.
    virtual Result<void> adopt_records(const ExportedMemory& /*records*/) {
        return error(name() + " does not share its memory");
    }
    // Whether records() can be read even after a launch that faulted or was stopped.
    virtual bool keeps_records() const { return false; }
    // After such a launch: where its records are now. Everything else on the device is gone.
    virtual Result<Address> kept_records() { return error(name() + " does not keep records"); }

    // Runs the launch to its end. Error: a fault or a refused configuration, in words. `console` gets what
    // printf wrote.
    virtual Result<Ran> launch(const simt::LaunchRequest& request, double seconds,
                               const std::atomic<bool>* cancel, std::string& console) = 0;
};

}  // namespace lanescope::gpu
