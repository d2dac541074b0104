// The CPU machine as a device that runs instrumented code: it records what a GPU would record. It runs
// unchanged code as well. Tests use it where there is no GPU.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/shared_pages.h"
#include "gpu/traced/trace_device.h"
#include "simt/machine/machine.h"

namespace lanescope::gpu {

class MachineDevice : public TraceDevice {
  public:
    std::uint64_t life() const override { return life_; }
    std::string name() const override { return "instrumented CPU"; }
    double cycles_per_ns() const override { return 1; }  // both clocks count steps of the machine
    std::uint64_t record_bytes() const override { return record_bytes_; }
    void limit_records(std::uint64_t bytes) { record_bytes_ = bytes; }

    Result<void> load(const std::string& instrumented_ptx) override;
    Result<Address> allocate(std::uint64_t size_bytes) override;
    Result<void> release(Address memory) override;
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
    Result<ExportedMemory> share_records(std::uint64_t most_bytes) override;
    Result<void> adopt_records(const ExportedMemory& records) override;
    // The machine has no machine code: DeviceCode::ptx runs.
    Result<std::uint32_t> add_code(const DeviceCode& code) override;
    Result<void> remove_code(std::uint32_t code) override;
    Result<Place> variable(std::uint32_t code, const std::string& symbol) override;
    Result<Worked> run(const DeviceWork& work, double seconds, const std::atomic<bool>* cancel) override;
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override;

  private:
    Result<simt::Machine*> machine() const;
    Result<simt::Machine*> machine_of(std::uint32_t code) const;
    Result<std::unique_ptr<simt::Machine>> made_of(const std::string& ptx) const;
    Ran launch_on(simt::Machine& machine, const simt::LaunchRequest& request, double seconds,
                  const std::atomic<bool>* cancel);
    void keep_records();
    bool is_kept(Address from, std::uint64_t size_bytes) const;
    std::shared_ptr<simt::DeviceMemory> memory_;
    std::unique_ptr<simt::Machine> machine_;                         // of instrumented code
    std::map<std::uint32_t, std::unique_ptr<simt::Machine>> codes_;  // of unchanged code
    std::uint32_t added_ = 0;
    std::uint64_t life_ = 1;
    std::uint64_t record_bytes_ = 1ull << 30;
    Address records_ = 0;
    std::uint64_t records_size_ = 0;
    SharedPages shared_;  // of records
};

}  // namespace lanescope::gpu
