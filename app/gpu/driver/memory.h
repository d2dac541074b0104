// Memory of the device, and memory of the host that the device reaches.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

// "3.5 GiB"
std::string size_text(std::uint64_t bytes);

class DeviceBuffer {
  public:
    DeviceBuffer() = default;
    // The contents are not set. Error: too little memory is free; it says how much is wanted and how much is
    // free.
    static Result<DeviceBuffer> allocate(const Context& context, std::size_t size_bytes);
    ~DeviceBuffer();
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

    CUdeviceptr address() const { return address_; }
    std::size_t size_bytes() const { return size_bytes_; }

    // These wait until the bytes are where they belong. Error: the range leaves the buffer; the driver's own.
    Result<void> write(std::span<const std::byte> bytes, std::size_t offset_bytes = 0);
    Result<void> read(std::span<std::byte> bytes, std::size_t offset_bytes = 0) const;
    Result<void> fill(std::byte value);

  private:
    void release();
    Result<void> in_range(std::size_t size_bytes, std::size_t offset_bytes) const;

    std::shared_ptr<ContextLife> life_;
    CUdeviceptr address_ = 0;
    std::size_t size_bytes_ = 0;
};

// Pinned memory of the host that kernels can read and write while they run.
class HostBuffer {
  public:
    HostBuffer() = default;
    static Result<HostBuffer> allocate(const Context& context, std::size_t size_bytes);
    ~HostBuffer();
    HostBuffer(HostBuffer&& other) noexcept;
    HostBuffer& operator=(HostBuffer&& other) noexcept;

    std::byte* data() const { return data_; }
    std::size_t size_bytes() const { return size_bytes_; }
    CUdeviceptr device_address() const { return device_address_; }

  private:
    void release();

    std::shared_ptr<ContextLife> life_;
    std::byte* data_ = nullptr;
    CUdeviceptr device_address_ = 0;
    std::size_t size_bytes_ = 0;
};

}  // namespace lanescope::gpu
