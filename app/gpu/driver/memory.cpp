#include "gpu/driver/memory.h"

#include <cstdio>
#include <utility>

namespace lanescope::gpu {

namespace {

Diagnostics cannot_allocate(const Context& context, CUresult status, std::size_t wanted) {
    std::size_t free_bytes = 0, total_bytes = 0;
    const bool known = context.driver().mem_get_info(&free_bytes, &total_bytes) == CUDA_SUCCESS;
    if (status != CUDA_ERROR_OUT_OF_MEMORY || !known)
        return context.check(status, "allocating " + size_text(wanted) + " on the GPU").diagnostics();
    return {error(context.device().name + " has too little free memory: " + size_text(wanted) + " (" +
                      std::to_string(wanted) + " bytes) wanted, " + size_text(free_bytes) + " (" +
                      std::to_string(free_bytes) + " bytes) of " + size_text(total_bytes) + " free",
                  "use smaller inputs, or end other programs on this GPU")};
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
    static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    double value = static_cast<double>(bytes);
    for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
        value /= 1024;
    char text[48];
    std::snprintf(text, sizeof text, unit == 0 || value == static_cast<int>(value) ? "%.0f %s" : "%.1f %s",
                  value, units[unit]);
    return text;
}

// --- Device memory -----------------------------------------------------------------------------------------

Result<DeviceBuffer> DeviceBuffer::allocate(const Context& context, std::size_t size_bytes) {
    DeviceBuffer buffer;
    if (size_bytes == 0) return buffer;
    const CurrentContext current(*context.life());
    const CUresult status = context.driver().mem_alloc(&buffer.address_, size_bytes);
    if (status != CUDA_SUCCESS) return cannot_allocate(context, status, size_bytes);
    buffer.life_ = context.life();
    buffer.size_bytes_ = size_bytes;
    return buffer;
}

void DeviceBuffer::release() {
    if (life_ && life_->releases()) {
        // A new context may have the same address in use: only the buffer's own context frees it.
        if (const CurrentContext current(*life_); current) life_->driver->mem_free(address_);
    }
    life_.reset();
}

DeviceBuffer::~DeviceBuffer() {
    release();
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : life_(std::move(other.life_)),
      address_(std::exchange(other.address_, 0)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    life_ = std::move(other.life_);
    address_ = std::exchange(other.address_, 0);
    size_bytes_ = std::exchange(other.size_bytes_, 0);
    return *this;
}

Result<void> DeviceBuffer::in_range(std::size_t size_bytes, std::size_t offset_bytes) const {
    if (offset_bytes > size_bytes_ || size_bytes > size_bytes_ - offset_bytes)
        return error("a copy of " + std::to_string(size_bytes) + " bytes at " + std::to_string(offset_bytes) +
                     " leaves a GPU buffer of " + std::to_string(size_bytes_) + " bytes");
    if (size_bytes != 0 && !life_->handle) return error("this GPU buffer's CUDA context is gone");
    return {};
}

Result<void> DeviceBuffer::write(std::span<const std::byte> bytes, std::size_t offset_bytes) {
    if (const Result<void> fits = in_range(bytes.size(), offset_bytes); !fits) return fits.diagnostics();
    if (bytes.empty()) return {};
    const CurrentContext current(*life_);
    return life_->driver->check(
        life_->driver->memcpy_htod(address_ + offset_bytes, bytes.data(), bytes.size()),
        "copying to the GPU");
}

Result<void> DeviceBuffer::read(std::span<std::byte> bytes, std::size_t offset_bytes) const {
    if (const Result<void> fits = in_range(bytes.size(), offset_bytes); !fits) return fits.diagnostics();
    if (bytes.empty()) return {};
    const CurrentContext current(*life_);
    return life_->driver->check(
        life_->driver->memcpy_dtoh(bytes.data(), address_ + offset_bytes, bytes.size()),
        "copying from the GPU");
}

Result<void> DeviceBuffer::fill(std::byte value) {
    if (const Result<void> fits = in_range(size_bytes_, 0); !fits) return fits.diagnostics();
    if (size_bytes_ == 0) return {};
    const CurrentContext current(*life_);
    CUresult status = life_->driver->memset_d8(address_, std::to_integer<unsigned char>(value), size_bytes_);
    if (status == CUDA_SUCCESS) status = life_->driver->stream_synchronize(nullptr);
    return life_->driver->check(status, "filling memory of the GPU");
}

// --- Host memory -------------------------------------------------------------------------------------------

Result<HostBuffer> HostBuffer::allocate(const Context& context, std::size_t size_bytes) {
    HostBuffer buffer;
    if (size_bytes == 0) return buffer;
    const CurrentContext current(*context.life());
    void* data = nullptr;
    CUresult status = context.driver().mem_host_alloc(&data, size_bytes,
                                                      CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
    if (const Result<void> made =
            context.check(status, "allocating " + size_text(size_bytes) + " of pinned memory");
        !made)
        return made.diagnostics();
    buffer.life_ = context.life();
    buffer.data_ = static_cast<std::byte*>(data);
    buffer.size_bytes_ = size_bytes;
    status = context.driver().mem_host_get_device_pointer(&buffer.device_address_, data, 0);
    if (const Result<void> mapped = context.check(status, "mapping pinned memory"); !mapped)
        return mapped.diagnostics();
    return buffer;
}

void HostBuffer::release() {
    if (life_ && life_->releases()) {
        if (const CurrentContext current(*life_); current) life_->driver->mem_free_host(data_);
    }
    life_.reset();
}

HostBuffer::~HostBuffer() {
    release();
}

HostBuffer::HostBuffer(HostBuffer&& other) noexcept
    : life_(std::move(other.life_)),
      data_(std::exchange(other.data_, nullptr)),
      device_address_(std::exchange(other.device_address_, 0)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

HostBuffer& HostBuffer::operator=(HostBuffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    life_ = std::move(other.life_);
    data_ = std::exchange(other.data_, nullptr);
    device_address_ = std::exchange(other.device_address_, 0);
    size_bytes_ = std::exchange(other.size_bytes_, 0);
    return *this;
}

}  // namespace lanescope::gpu
