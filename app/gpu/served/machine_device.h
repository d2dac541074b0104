// The CPU machine as a device that runs instrumented code: it records what a GPU would record. Tests use it
// where there is no GPU.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "gpu/traced/trace_device.h"
#include "simt/machine/machine.h"

namespace lanescope::gpu {

class MachineDevice : public TraceDevice {
  public:
    std::string name() const override { return "instrumented CPU"; }
    double cycles_per_ns() const override { return 1; }  // both clocks count steps of the machine
    std::uint64_t record_bytes() const override { return record_bytes_; }
    void limit_records(std::uint64_t bytes) { record_bytes_ = bytes; }

    Result<void> load(const std::string& instrumented_ptx) override;
    Result<Address> allocate(std::uint64_t size_bytes) override;
    Result<void> write(Address to, std::span<const std::byte> bytes) override;
    Result<void> read(Address from, std::span<std::byte> bytes) override;
    Result<void> read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                           std::uint64_t rows, std::span<std::byte> bytes) override;
    Result<void> copy(Address to, Address from, std::uint64_t size_bytes) override;
    Result<void> fill(Address at, std::uint64_t size_bytes, std::byte value) override;
    Result<Address> symbol(const std::string& mangled) override;
    Result<std::uint64_t> texture(const simt::Texture& texture) override;
    Result<std::uint64_t> surface(const simt::Image& image);
    Result<Address> records(std::uint64_t size_bytes) override;
    // In a file in memory, into which every launch copies them at its end.
    Result<SharedRecords> share_records(std::uint64_t most_bytes) override;
    Result<void> adopt_records(const SharedRecords& records) override;
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override;

  private:
    Result<void> loaded() const;
    Result<void> map_shared(const Descriptor& descriptor, std::uint64_t size_bytes);
    void keep_records();
    bool is_kept(Address from, std::uint64_t size_bytes) const;
    std::shared_ptr<simt::DeviceMemory> memory_;
    std::unique_ptr<simt::Machine> machine_;
    std::uint64_t record_bytes_ = 1ull << 30;
    Address records_ = 0;
    std::uint64_t records_size_ = 0;
    std::span<std::byte> shared_;             // the file
    std::shared_ptr<std::byte> shared_life_;  // unmaps it
};

}  // namespace lanescope::gpu
