// A real GPU as the device of a traced run.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gpu/clean/code_runner.h"
#include "gpu/driver/context.h"
#include "gpu/driver/memory.h"
#include "gpu/driver/shared_memory.h"
#include "gpu/driver/texture_object.h"
#include "gpu/traced/trace_device.h"

namespace lanescope::gpu {

class GpuTraceDevice : public TraceDevice {
  public:
    // The context outlives the device; every call makes it current on the calling thread. After a fault or a
    // timeout the context is rebuilt and everything in it is gone.
    explicit GpuTraceDevice(Context& context);
    ~GpuTraceDevice() override;

    std::uint64_t life() const override { return life_; }
    std::string name() const override;
    std::string driver() const override;
    std::string code_target() const override;
    std::uint32_t multiprocessors() const override;
    std::string newest_target() const override;
    bool checks_accesses() const override { return !context_.is_borrowed(); }
    double cycles_per_ns() const override { return cycles_per_ns_; }
    std::uint64_t record_bytes() const override;

    Result<void> load(const std::string& instrumented_ptx) override;
    Result<Address> allocate(std::uint64_t size_bytes) override;
    Result<void> release(Address memory) override;
    Result<Exported> allocate_exported(std::uint64_t size_bytes) override;
    Result<void> write(Address to, std::span<const std::byte> bytes) override;
    Result<void> read(Address from, std::span<std::byte> bytes) override;
    Result<void> read_rows(Address from, std::uint64_t pitch_bytes, std::uint64_t width_bytes,
                           std::uint64_t rows, std::span<std::byte> bytes) override;
    Result<void> copy(Address to, Address from, std::uint64_t size_bytes) override;
    Result<void> fill(Address at, std::uint64_t size_bytes, std::byte value) override;
    Result<Address> symbol(const std::string& mangled) override;
    Result<std::uint64_t> texture(const simt::Texture& texture) override;
    Result<Address> records(std::uint64_t size_bytes) override;
    Result<ExportedMemory> share_records(std::uint64_t most_bytes) override;
    Result<void> adopt_records(const ExportedMemory& records) override;
    Result<std::uint32_t> add_code(const DeviceCode& code) override;
    Result<void> remove_code(std::uint32_t code) override;
    Result<Place> variable(std::uint32_t code, const std::string& symbol) override;
    Result<Worked> run(const DeviceWork& work, double seconds, const std::atomic<bool>* cancel) override;
    Result<Ran> launch(const simt::LaunchRequest& request, double seconds, const std::atomic<bool>* cancel,
                       std::string& console) override;

    double last_launch_ms() const { return last_ms_; }  // between events around the kernel

  private:
    CUresult link(const std::string& ptx, std::span<char> log, unsigned max_registers);
    Result<CUfunction> function_of(const simt::LaunchRequest& request);
    Result<void> enqueue(const simt::LaunchRequest& request, CUfunction function);
    Ran ended(const std::string& why, simt::Ending how);
    // Waits for what is in the stream.
    Ran wait(double seconds, const std::atomic<bool>* cancel);
    void forget();

    Context& context_;
    SharedMemory shared_;  // for records; empty: the device allocates memory of its own
    double cycles_per_ns_ = 1, last_ms_ = 0;
    std::uint64_t life_ = 1;
    CUmodule module_ = nullptr;
    CodeRunner runner_;
    std::vector<DeviceBuffer> buffers_;
    std::vector<TextureObject> textures_;
    DeviceBuffer records_;
};

}  // namespace lanescope::gpu
