// Memory of the device that other processes and OpenGL open through a file descriptor (CUDA's virtual
// memory). It lives as long as one of them has it open: after a fault, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/descriptor.h"
#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

using DeviceUuid = std::array<std::uint8_t, 16>;  // as OpenGL's GL_DEVICE_UUID_EXT

Result<DeviceUuid> uuid_of(const Context& context);

class SharedMemory {
  public:
    SharedMemory() = default;
    // At least `size_bytes`, in the device's granularity. The contents are not set. Errors: the device cannot
    // share memory; too little is free.
    static Result<SharedMemory> create(const Context& context, std::uint64_t size_bytes);
    // Opens memory of `size_bytes` that another process has made on the same device.
    static Result<SharedMemory> open(const Context& context, const Descriptor& descriptor,
                                     std::uint64_t size_bytes);
    ~SharedMemory();
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;

    CUdeviceptr address() const { return address_; }
    std::uint64_t size_bytes() const { return size_bytes_; }
    Result<Descriptor> descriptor() const;  // for another process

  private:
    static Result<SharedMemory> map(const Context& context, CUmemGenericAllocationHandle handle,
                                    std::uint64_t size_bytes);
    void release();

    std::shared_ptr<ContextLife> life_;
    CUmemGenericAllocationHandle handle_ = 0;
    CUdeviceptr address_ = 0;
    std::uint64_t size_bytes_ = 0;
};

}  // namespace lanescope::gpu
