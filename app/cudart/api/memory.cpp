#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

cudaError_t allocate(Device& device, void** pointer, std::size_t bytes, Block::Kind kind, unsigned flags) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (bytes == 0) {  // as CUDA does: no memory, no error
        *pointer = nullptr;
        return cudaSuccess;
    }
    const std::optional<std::uint64_t> address = device.allocate(bytes, kind, flags);
    if (!address) return cudaErrorMemoryAllocation;
    *pointer = pointer_to(*address);
    return cudaSuccess;
}

cudaError_t release(Device& device, void* pointer, bool host_memory) {
    if (pointer == nullptr) return cudaSuccess;
    const Block* block = device.find(address_of(pointer));
    const bool pinned = block != nullptr && block->kind == Block::Kind::pinned;
    if (block == nullptr || block->address != address_of(pointer) || pinned != host_memory ||
        block->kind == Block::Kind::registered) {
        const std::string freed = device.freed_name(address_of(pointer));
        device.timeline().journal().explain(!freed.empty()     ? freed + " was freed before"
                                            : block == nullptr ? "the pointer is not one of CUDA's memory"
                                            : block->address != address_of(pointer)
                                                ? "the pointer does not point to the beginning of its buffer"
                                                : "memory of this kind is freed by another function");
        return cudaErrorInvalidValue;
    }
    device.release(block->address);
    return cudaSuccess;
}

constexpr std::size_t pitch_alignment = 512;

bool too_large(std::size_t a, std::size_t b) {
    return b != 0 && a > std::numeric_limits<std::size_t>::max() / 2 / b;
}

cudaError_t allocate_pitched(Device& device, void** pointer, std::size_t* pitch, std::size_t width,
                             std::size_t rows) {
    if (pointer == nullptr || pitch == nullptr || too_large(width, std::max<std::size_t>(rows, 1)))
        return cudaErrorInvalidValue;
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return allocate(device, pointer, *pitch * rows, Block::Kind::device, 0);
}

constexpr unsigned known_host_flags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;

}  // namespace

cudaError_t describe_allocation(Runtime& runtime, Device& device, void** pointer, std::size_t bytes,
                                Task& task) {
    const cudaError_t error = allocate(device, pointer, bytes, Block::Kind::device, graph_memory);
    if (error != cudaSuccess || *pointer == nullptr) return error;
    const std::shared_ptr<void> owned(*pointer, [&runtime](void* memory) {
        runtime.device().release(address_of(memory));  // if the program has not freed it
    });
    task.type = cudaGraphNodeTypeMemAlloc;
    task.work = [owned](Device& target) {
        if (target.find(address_of(owned.get())) != nullptr) return cudaSuccess;
        target.timeline().journal().explain(
            "memory of a graph that was freed outside of it cannot have its address again");
        return cudaErrorNotSupported;
    };
    return cudaSuccess;
}

cudaError_t describe_release(Device& device, void* pointer, Task& task) {
    const Block* block = device.find(address_of(pointer));
    if (block == nullptr || block->address != address_of(pointer) || block->flags != graph_memory)
        return cudaErrorInvalidValue;
    task = {cudaGraphNodeTypeMemFree, [](Device&) { return cudaSuccess; }, pointer};
    return cudaSuccess;
}

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return call("cudaMalloc", [&](Runtime&, Device& device) {
        return allocate(device, pointer, bytes, Block::Kind::device, 0);
    });
}

LANESCOPE_CUDA cudaError_t cudaFree(void* pointer) {
    return waiting_call("cudaFree",
                        [&](Runtime&, Device& device) { return release(device, pointer, false); });
}

LANESCOPE_CUDA cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return call("cudaMallocHost", [&](Runtime&, Device& device) {
        return allocate(device, pointer, bytes, Block::Kind::pinned, 0);
    });
}

LANESCOPE_CUDA cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
    return call("cudaHostAlloc", [&](Runtime&, Device& device) {
        if ((flags & ~known_host_flags) != 0) return cudaErrorInvalidValue;
        return allocate(device, pointer, bytes, Block::Kind::pinned, flags);
    });
}

LANESCOPE_CUDA cudaError_t cudaFreeHost(void* pointer) {
    return waiting_call("cudaFreeHost",
                        [&](Runtime&, Device& device) { return release(device, pointer, true); });
}

LANESCOPE_CUDA cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned flags) {
    return call("cudaHostGetDevicePointer", [&](Runtime&, Device& device) {
        const Block* block = device.find(address_of(host));
        if (pointer != nullptr && flags == 0 && device.registered().find(address_of(host)) != nullptr) {
            *pointer = pointer_to(device.registered().to_device(address_of(host)));
            return cudaSuccess;
        }
        if (pointer == nullptr || flags != 0 || block == nullptr || block->kind != Block::Kind::pinned)
            return cudaErrorInvalidValue;
        *pointer = host;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return call("cudaHostGetFlags", [&](Runtime&, Device& device) {
        const Block* block = device.find(address_of(host));
        const Registered::Range* range = device.registered().find(address_of(host));
        if (flags != nullptr && range != nullptr) {
            *flags = range->flags | cudaHostRegisterMapped;
            return cudaSuccess;
        }
        if (flags == nullptr || block == nullptr || block->kind != Block::Kind::pinned)
            return cudaErrorInvalidValue;
        *flags =
            block->flags | cudaHostAllocMapped;  // all pinned memory is mapped where addresses are unified
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    return call("cudaMallocManaged", [&](Runtime&, Device& device) {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
        return allocate(device, pointer, bytes, Block::Kind::managed, flags);
    });
}

LANESCOPE_CUDA cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return call("cudaMallocPitch", [&](Runtime&, Device& device) {
        return allocate_pitched(device, pointer, pitch, width, height);
    });
}

LANESCOPE_CUDA cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return call("cudaMalloc3D", [&](Runtime&, Device& device) {
        if (pitched == nullptr || too_large(extent.height, extent.depth)) return cudaErrorInvalidValue;
        *pitched = {nullptr, 0, extent.width, extent.height};
        return allocate_pitched(device, &pitched->ptr, &pitched->pitch, extent.width,
                                extent.height * extent.depth);
    });
}

LANESCOPE_CUDA cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return call("cudaMallocAsync", [&](Runtime& runtime, Device& device) {
        if (runtime.stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
        if (runtime.is_capturing(stream)) {
            Task task;
            const cudaError_t error = describe_allocation(runtime, device, pointer, bytes, task);
            return error != cudaSuccess || !task.work ? error : runtime.submit(stream, std::move(task));
        }
        const Timeline::Submitted submitted(runtime.timeline(), runtime.stream(stream)->number);
        return allocate(device, pointer, bytes, Block::Kind::device, 0);
    });
}

LANESCOPE_CUDA cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t,
                                                   cudaStream_t stream) {
    return cudaMallocAsync(pointer, bytes, stream);
}

LANESCOPE_CUDA cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call("cudaFreeAsync", [&](Runtime& runtime, Device& device) {
        if (runtime.stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
        if (runtime.is_capturing(stream)) {
            Task task;
            const cudaError_t error = describe_release(device, pointer, task);
            return error != cudaSuccess ? error : runtime.submit(stream, std::move(task));
        }
        const Timeline::Submitted submitted(runtime.timeline(), runtime.stream(stream)->number);
        return release(device, pointer, false);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return call("cudaMemGetInfo", [&](Runtime&, Device& device) {
        if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
        *free = device.free_bytes();
        *total = device.total_bytes();
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call("cudaPointerGetAttributes", [&](Runtime&, Device& device) {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        *attributes = {};
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = cudaInvalidDeviceId;
        const Block* block = device.find(address_of(pointer));
        if (device.registered().find(address_of(pointer)) != nullptr) {
            attributes->type = cudaMemoryTypeHost;
            attributes->device = 0;
            attributes->devicePointer = pointer_to(device.registered().to_device(address_of(pointer)));
            attributes->hostPointer = pointer_to(device.registered().to_host(address_of(pointer)));
            return cudaSuccess;
        }
        if (block == nullptr) {
            if (!device.holds(address_of(pointer), 1)) return cudaSuccess;
            attributes->type = cudaMemoryTypeDevice;  // a variable
        } else {
            attributes->type = block->kind == Block::Kind::device    ? cudaMemoryTypeDevice
                               : block->kind == Block::Kind::managed ? cudaMemoryTypeManaged
                                                                     : cudaMemoryTypeHost;
        }
        attributes->device = 0;
        attributes->devicePointer = const_cast<void*>(pointer);
        if (attributes->type != cudaMemoryTypeDevice) attributes->hostPointer = const_cast<void*>(pointer);
        return cudaSuccess;
    });
}

// Page-locked memory that the program brought itself.
LANESCOPE_CUDA cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned flags) {
    return call("cudaHostRegister", [&](Runtime&, Device& device) {
        if (host == nullptr || bytes == 0) return cudaErrorInvalidValue;
        if (device.find(address_of(host)) != nullptr || device.registered().overlaps(host, bytes))
            return cudaErrorHostMemoryAlreadyRegistered;
        return device.registered().add(device, host, bytes, flags) ? cudaSuccess : cudaErrorMemoryAllocation;
    });
}

LANESCOPE_CUDA cudaError_t cudaHostUnregister(void* host) {
    return call("cudaHostUnregister", [&](Runtime&, Device& device) {
        if (host == nullptr) return cudaErrorInvalidValue;
        return device.registered().remove(device, host) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
    });
}

LANESCOPE_CUDA cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation, unsigned,
                                                cudaStream_t stream) {
    return call("cudaMemPrefetchAsync", [&](Runtime& runtime, Device& device) {
        if (runtime.stream(stream) == nullptr) return cudaErrorInvalidResourceHandle;
        const Block* block = device.find(address_of(pointer), bytes);
        return block != nullptr && block->kind == Block::Kind::managed ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise,
                                         cudaMemLocation) {
    return call("cudaMemAdvise", [&](Runtime&, Device& device) {
        const Block* block = device.find(address_of(pointer), bytes);
        return block != nullptr && block->kind == Block::Kind::managed ? cudaSuccess : cudaErrorInvalidValue;
    });
}
