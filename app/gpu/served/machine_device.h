// The CPU machine as a device that runs instrumented code: it records what a GPU would record. Tests use it
// where there is no GPU.
#pragma once

#include <memory>
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
    Result<Address> records(std::uint64_t size_bytes) override;
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override;

  private:
    Result<void> loaded() const;
    std::unique_ptr<simt::Machine> machine_;
    std::uint64_t record_bytes_ = 1ull << 30;
    Address records_ = 0;
    std::uint64_t records_size_ = 0;
};

}  // namespace lanescope::gpu
