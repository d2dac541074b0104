#include "gpu/driver/shared_memory.h"

#include <cstring>
#include <string>
#include <utility>

#include "gpu/driver/memory.h"

namespace lanescope::gpu {

namespace {

CUmemAllocationProp properties_of(const Context& context) {
    CUmemAllocationProp wanted{};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.location.id = context.device().ordinal;
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return wanted;
}

}  // namespace

Result<DeviceUuid> uuid_of(const Context& context) {
    CUdevice device = 0;
    CUuuid found{};
    const Driver& driver = context.driver();
    CUresult status = driver.device_get(&device, context.device().ordinal);
    if (status == CUDA_SUCCESS) status = driver.device_get_uuid(&found, device);
    if (const Result<void> known = driver.check(status, "asking for the device's number"); !known)
        return known.diagnostics();
    DeviceUuid uuid{};
    static_assert(sizeof uuid == sizeof found.bytes);
    std::memcpy(uuid.data(), found.bytes, sizeof found.bytes);
    return uuid;
}

Result<SharedMemory> SharedMemory::create(const Context& context, std::uint64_t size_bytes) {
    const CurrentContext current(*context.life());
    const Driver& driver = context.driver();
    const CUmemAllocationProp wanted = properties_of(context);
    std::size_t unit = 0;
    CUresult status = driver.mem_get_allocation_granularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    CUmemGenericAllocationHandle handle = 0;
    if (status == CUDA_SUCCESS && unit > 0) {
        size_bytes = (size_bytes + unit - 1) / unit * unit;
        status = driver.mem_create(&handle, size_bytes, &wanted, 0);
    }
    if (const Result<void> made =
            context.check(status, "memory that other processes open (" + size_text(size_bytes) + ")");
        !made)
        return made.diagnostics();
    return map(context, handle, size_bytes);
}

Result<SharedMemory> SharedMemory::open(const Context& context, const Descriptor& descriptor,
                                        std::uint64_t size_bytes) {
    const CurrentContext current(*context.life());
    CUmemGenericAllocationHandle handle = 0;
    const auto number = static_cast<std::size_t>(descriptor.number());
    const CUresult status = context.driver().mem_import_from_shareable_handle(
        &handle, reinterpret_cast<void*>(number), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    if (const Result<void> made = context.check(status, "opening another process's memory"); !made)
        return made.diagnostics();
    return map(context, handle, size_bytes);
}

Result<SharedMemory> SharedMemory::map(const Context& context, CUmemGenericAllocationHandle handle,
                                       std::uint64_t size_bytes) {
    const Driver& driver = context.driver();
    SharedMemory made;
    made.life_ = context.life();
    made.handle_ = handle;
    made.size_bytes_ = size_bytes;
    CUresult status = driver.mem_address_reserve(&made.address_, size_bytes, 0, 0, 0);
    if (status == CUDA_SUCCESS) status = driver.mem_map(made.address_, size_bytes, 0, handle, 0);
    CUmemAccessDesc access{};
    access.location = properties_of(context).location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (status == CUDA_SUCCESS) status = driver.mem_set_access(made.address_, size_bytes, &access, 1);
    if (const Result<void> mapped = context.check(status, "mapping memory of the GPU"); !mapped)
        return mapped.diagnostics();
    return made;
}

Result<Descriptor> SharedMemory::descriptor() const {
    if (!life_ || !life_->handle) return error("this memory's CUDA context is gone");
    const CurrentContext current(*life_);
    int number = -1;
    const CUresult status = life_->driver->mem_export_to_shareable_handle(
        &number, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    if (const Result<void> made = life_->driver->check(status, "passing memory to another process"); !made)
        return made.diagnostics();
    return Descriptor(number);
}

void SharedMemory::release() {
    if (life_ && life_->releases()) {
        if (const CurrentContext current(*life_); current) {
            const Driver& driver = *life_->driver;
            if (address_ != 0) {
                driver.mem_unmap(address_, size_bytes_);
                driver.mem_address_free(address_, size_bytes_);
            }
            driver.mem_release(handle_);
        }
    }
    life_.reset();
}

SharedMemory::~SharedMemory() {
    release();
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : life_(std::move(other.life_)),
      handle_(std::exchange(other.handle_, 0)),
      address_(std::exchange(other.address_, 0)),
      size_bytes_(std::exchange(other.size_bytes_, 0)) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
    if (this == &other) return *this;
    release();
    life_ = std::move(other.life_);
    handle_ = std::exchange(other.handle_, 0);
    address_ = std::exchange(other.address_, 0);
    size_bytes_ = std::exchange(other.size_bytes_, 0);
    return *this;
}

}  // namespace lanescope::gpu
