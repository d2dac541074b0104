// Records the answers of a device during a run in a file, so that the same run can be repeated without it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gpu/traced/trace_device.h"

namespace lanescope::traced {

// The answers, in the order of the requests.
struct DeviceLog {
    std::string name;
    double cycles_per_ns = 1;
    std::uint64_t record_bytes = 0;
    std::uint64_t code_hash = 0;           // hash of the instrumented code
    std::vector<std::uint64_t> addresses;  // addresses of allocations, symbols and records
    std::vector<std::vector<std::byte>> reads;
    std::vector<std::string> printed;  // the output of each launch

    Result<void> save(const std::filesystem::path& file) const;
    static Result<DeviceLog> open(const std::filesystem::path& file);
};

// Passes every request on to a device and keeps the answers.
class RecordingDevice : public gpu::TraceDevice {
  public:
    explicit RecordingDevice(gpu::TraceDevice& device) : device_(device) {}
    const DeviceLog& log() const { return log_; }

    std::string name() const override { return device_.name(); }
    bool checks_accesses() const override { return false; }  // the code of the recordings
    double cycles_per_ns() const override { return device_.cycles_per_ns(); }
    std::uint64_t record_bytes() const override { return 256ull << 20; }
    Result<void> load(const std::string& instrumented_ptx) override;
    Result<Address> allocate(std::uint64_t size_bytes) override;
    Result<void> write(Address to, std::span<const std::byte> bytes) override {
        return device_.write(to, bytes);
    }
    Result<void> read(Address from, std::span<std::byte> bytes) override;
    Result<void> read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                           std::uint64_t rows, std::span<std::byte> bytes) override;
    Result<void> copy(Address to, Address from, std::uint64_t size_bytes) override {
        return device_.copy(to, from, size_bytes);
    }
    Result<void> fill(Address at, std::uint64_t size_bytes, std::byte value) override {
        return device_.fill(at, size_bytes, value);
    }
    Result<Address> symbol(const std::string& mangled) override;
    Result<std::uint64_t> texture(const simt::Texture& texture) override {
        return noted(device_.texture(texture));
    }
    Result<Address> records(std::uint64_t size_bytes) override;
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override;

  private:
    Result<Address> noted(Result<Address> address);
    gpu::TraceDevice& device_;
    DeviceLog log_;
};

// Answers from the log. A request that differs from the recorded one is an error.
class ReplayedDevice : public gpu::TraceDevice {
  public:
    explicit ReplayedDevice(DeviceLog log) : log_(std::move(log)) {}

    std::string name() const override { return log_.name; }
    bool checks_accesses() const override { return false; }  // the code of the recordings
    double cycles_per_ns() const override { return log_.cycles_per_ns; }
    std::uint64_t record_bytes() const override { return log_.record_bytes; }
    Result<void> load(const std::string& instrumented_ptx) override;
    Result<Address> allocate(std::uint64_t) override { return next_address(); }
    Result<void> write(Address, std::span<const std::byte>) override { return {}; }
    Result<void> read(Address from, std::span<std::byte> bytes) override;
    Result<void> read_rows(Address, std::uint64_t, std::uint64_t, std::uint64_t,
                           std::span<std::byte> bytes) override {
        return next_read(bytes);
    }
    Result<void> copy(Address, Address, std::uint64_t) override { return {}; }
    Result<void> fill(Address, std::uint64_t, std::byte) override { return {}; }
    Result<Address> symbol(const std::string&) override { return next_address(); }
    Result<std::uint64_t> texture(const simt::Texture&) override { return next_address(); }
    Result<Address> records(std::uint64_t) override { return next_address(); }
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override;

  private:
    Result<Address> next_address();
    Result<void> next_read(std::span<std::byte> bytes);
    DeviceLog log_;
    std::size_t address_ = 0, read_ = 0, launch_ = 0;
};

}  // namespace lanescope::traced
