#include <cstring>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

constexpr const char* device_name = "Lanescope CPU machine (compute capability 9.0)";
constexpr int runtime_version = CUDART_VERSION;

// The figures of compute capability 9.0 with 132 multiprocessors, as kernels see them on the machine.
cudaDeviceProp properties(const Device& device) {
    cudaDeviceProp made{};
    std::strncpy(made.name, device_name, sizeof made.name - 1);
    made.totalGlobalMem = device.total_bytes();
    made.sharedMemPerBlock = 48 << 10;
    made.regsPerBlock = made.regsPerMultiprocessor = 64 << 10;
    made.warpSize = 32;
    made.memPitch = 0x7fffffff;
    made.maxThreadsPerBlock = 1024;
    made.maxThreadsDim[0] = made.maxThreadsDim[1] = 1024;
    made.maxThreadsDim[2] = 64;
    made.maxGridSize[0] = 0x7fffffff;
    made.maxGridSize[1] = made.maxGridSize[2] = 65535;
    made.totalConstMem = 64 << 10;
    made.major = compute_capability / 10;
    made.minor = compute_capability % 10;
    made.textureAlignment = 512;
    made.texturePitchAlignment = 32;
    made.multiProcessorCount = 132;
    made.canMapHostMemory = 1;
    made.concurrentKernels = 1;
    made.unifiedAddressing = 1;
    made.memoryBusWidth = 5120;
    made.l2CacheSize = static_cast<int>(l2_bytes);
    made.persistingL2CacheMaxSize = static_cast<int>(most_persisting_bytes);
    made.accessPolicyMaxWindowSize = static_cast<int>(most_window_bytes);
    made.maxThreadsPerMultiProcessor = 2048;
    made.streamPrioritiesSupported = 1;
    made.globalL1CacheSupported = made.localL1CacheSupported = 1;
    made.sharedMemPerMultiprocessor = 228 << 10;
    made.managedMemory = made.concurrentManagedAccess = 1;
    made.computePreemptionSupported = 1;
    made.cooperativeLaunch = 1;
    made.sharedMemPerBlockOptin = 227 << 10;
    made.maxBlocksPerMultiProcessor = 32;
    made.reservedSharedMemPerBlock = 1 << 10;
    made.asyncEngineCount = 1;
    made.memoryPoolsSupported = 1;
    return made;
}

bool attribute_of(const Device& device, cudaDeviceAttr attribute, int& value) {
    const cudaDeviceProp known = properties(device);
    switch (attribute) {
        // A step of the machine stands for a nanosecond.
        case cudaDevAttrClockRate:
        case cudaDevAttrMemoryClockRate:
            value = 1'000'000;  // kHz
            return true;
        case cudaDevAttrMaxThreadsPerBlock:
            value = known.maxThreadsPerBlock;
            return true;
        case cudaDevAttrMaxBlockDimX:
            value = known.maxThreadsDim[0];
            return true;
        case cudaDevAttrMaxBlockDimY:
            value = known.maxThreadsDim[1];
            return true;
        case cudaDevAttrMaxBlockDimZ:
            value = known.maxThreadsDim[2];
            return true;
        case cudaDevAttrMaxGridDimX:
            value = known.maxGridSize[0];
            return true;
        case cudaDevAttrMaxGridDimY:
            value = known.maxGridSize[1];
            return true;
        case cudaDevAttrMaxGridDimZ:
            value = known.maxGridSize[2];
            return true;
        case cudaDevAttrMaxSharedMemoryPerBlock:
            value = static_cast<int>(known.sharedMemPerBlock);
            return true;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            value = static_cast<int>(known.sharedMemPerBlockOptin);
            return true;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            value = static_cast<int>(known.sharedMemPerMultiprocessor);
            return true;
        case cudaDevAttrReservedSharedMemoryPerBlock:
            value = static_cast<int>(known.reservedSharedMemPerBlock);
            return true;
        case cudaDevAttrTotalConstantMemory:
            value = static_cast<int>(known.totalConstMem);
            return true;
        case cudaDevAttrWarpSize:
            value = known.warpSize;
            return true;
        case cudaDevAttrMaxPitch:
            value = static_cast<int>(known.memPitch);
            return true;
        case cudaDevAttrMaxRegistersPerBlock:
            value = known.regsPerBlock;
            return true;
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            value = known.regsPerMultiprocessor;
            return true;
        case cudaDevAttrMultiProcessorCount:
            value = known.multiProcessorCount;
            return true;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            value = known.maxThreadsPerMultiProcessor;
            return true;
        case cudaDevAttrMaxBlocksPerMultiprocessor:
            value = known.maxBlocksPerMultiProcessor;
            return true;
        case cudaDevAttrComputeCapabilityMajor:
            value = known.major;
            return true;
        case cudaDevAttrComputeCapabilityMinor:
            value = known.minor;
            return true;
        case cudaDevAttrL2CacheSize:
            value = known.l2CacheSize;
            return true;
        case cudaDevAttrMaxPersistingL2CacheSize:
            value = known.persistingL2CacheMaxSize;
            return true;
        case cudaDevAttrMaxAccessPolicyWindowSize:
            value = known.accessPolicyMaxWindowSize;
            return true;
        case cudaDevAttrGlobalMemoryBusWidth:
            value = known.memoryBusWidth;
            return true;
        case cudaDevAttrTextureAlignment:
            value = static_cast<int>(known.textureAlignment);
            return true;
        case cudaDevAttrTexturePitchAlignment:
            value = static_cast<int>(known.texturePitchAlignment);
            return true;
        case cudaDevAttrAsyncEngineCount:
            value = known.asyncEngineCount;
            return true;
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrComputePreemptionSupported:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrClusterLaunch:
        case cudaDevAttrMemoryPoolsSupported:
            value = 1;
            return true;
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrIntegrated:
        case cudaDevAttrComputeMode:
        case cudaDevAttrEccEnabled:
        case cudaDevAttrPciBusId:
        case cudaDevAttrPciDeviceId:
        case cudaDevAttrPciDomainId:
        case cudaDevAttrTccDriver:
        case cudaDevAttrIsMultiGpuBoard:
        case cudaDevAttrMultiGpuBoardGroupID:
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrCanUseHostPointerForRegisteredMem:
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
        case cudaDevAttrDirectManagedMemAccessFromHost:
        case cudaDevAttrHostRegisterSupported:
            value = 0;
            return true;
        default:
            return false;
    }
}

bool is_the_device(int device) {
    return device == 0;
}

}  // namespace

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaGetDeviceCount(int* count) {
    return call("cudaGetDeviceCount", [&](Runtime&, Device&) {
        if (count == nullptr) return cudaErrorInvalidValue;
        *count = 1;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetDevice(int* device) {
    return call("cudaGetDevice", [&](Runtime&, Device&) {
        if (device == nullptr) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaSetDevice(int device) {
    return call("cudaSetDevice", [&](Runtime&, Device&) {
        return is_the_device(device) ? cudaSuccess : cudaErrorInvalidDevice;
    });
}

LANESCOPE_CUDA cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return cudaSetDevice(device);
}

LANESCOPE_CUDA cudaError_t cudaSetValidDevices(int* devices, int count) {
    return call("cudaSetValidDevices", [&](Runtime&, Device&) {
        if (devices == nullptr && count != 0) return cudaErrorInvalidValue;
        for (int i = 0; i < count; ++i)
            if (!is_the_device(devices[i])) return cudaErrorInvalidDevice;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    return call("cudaChooseDevice", [&](Runtime&, Device&) {
        if (device == nullptr || wanted == nullptr) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return call("cudaSetDeviceFlags", [&](Runtime&, Device&) {
        return (flags & ~static_cast<unsigned>(cudaDeviceMask)) == 0 ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return call("cudaGetDeviceFlags", [&](Runtime&, Device&) {
        if (flags == nullptr) return cudaErrorInvalidValue;
        *flags = cudaDeviceMapHost;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetDeviceProperties(cudaDeviceProp* made, int number) {
    return call("cudaGetDeviceProperties", [&](Runtime&, Device& device) {
        if (made == nullptr) return cudaErrorInvalidValue;
        if (!is_the_device(number)) return cudaErrorInvalidDevice;
        *made = properties(device);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
    return call("cudaDeviceGetAttribute", [&](Runtime& runtime, Device& device) {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (!is_the_device(number)) return cudaErrorInvalidDevice;
        if (attribute_of(device, attribute, *value)) return cudaSuccess;
        if (attribute <= 0 || attribute >= cudaDevAttrMax) return cudaErrorInvalidValue;
        *value = 0;
        runtime.journal().warn("attribute " + std::to_string(attribute) +
                               " of the device is not stated: it is 0");
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceSynchronize() {
    return waiting_call("cudaDeviceSynchronize", [](Runtime& runtime, Device&) {
        runtime.timeline().wait_for_device();
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceReset() {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    runtime.reset_device();
    return cudaSuccess;
}

LANESCOPE_CUDA cudaError_t cudaThreadSynchronize() {
    return cudaDeviceSynchronize();
}

LANESCOPE_CUDA cudaError_t cudaThreadExit() {
    return cudaDeviceReset();
}

LANESCOPE_CUDA cudaError_t cudaDriverGetVersion(int* version) {
    return stateless_call("cudaDriverGetVersion", [&] {
        if (version == nullptr) return cudaErrorInvalidValue;
        *version = runtime_version;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaRuntimeGetVersion(int* version) {
    return stateless_call("cudaRuntimeGetVersion", [&] {
        if (version == nullptr) return cudaErrorInvalidValue;
        *version = runtime_version;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return call("cudaDeviceGetLimit", [&](Runtime& runtime, Device&) {
        return value != nullptr && runtime.limit(limit, *value) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return call("cudaDeviceSetLimit", [&](Runtime& runtime, Device& device) {
        if (limit == cudaLimitPersistingL2CacheSize) {
            if (value > most_persisting_bytes) return cudaErrorInvalidValue;
            value = (value + l2_part_bytes - 1) / l2_part_bytes * l2_part_bytes;
        }
        if (limit == cudaLimitMallocHeapSize) device.set_heap_limit(value);
        return runtime.set_limit(limit, value) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaCtxResetPersistingL2Cache() {
    return call("cudaCtxResetPersistingL2Cache", [](Runtime&, Device&) { return cudaSuccess; });
}

LANESCOPE_CUDA cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return call("cudaDeviceSetCacheConfig", [](Runtime&, Device&) { return cudaSuccess; });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* configuration) {
    return call("cudaDeviceGetCacheConfig", [&](Runtime&, Device&) {
        if (configuration == nullptr) return cudaErrorInvalidValue;
        *configuration = cudaFuncCachePreferNone;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    return call("cudaDeviceSetSharedMemConfig", [](Runtime&, Device&) { return cudaSuccess; });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* configuration) {
    return call("cudaDeviceGetSharedMemConfig", [&](Runtime&, Device&) {
        if (configuration == nullptr) return cudaErrorInvalidValue;
        *configuration = cudaSharedMemBankSizeFourByte;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return call("cudaDeviceGetStreamPriorityRange", [&](Runtime&, Device&) {
        if (least != nullptr) *least = 0;
        if (greatest != nullptr) *greatest = -5;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int number) {
    return call("cudaDeviceGetPCIBusId", [&](Runtime&, Device&) {
        constexpr const char* id = "0000:00:00.0";
        if (text == nullptr || length <= static_cast<int>(std::strlen(id))) return cudaErrorInvalidValue;
        if (!is_the_device(number)) return cudaErrorInvalidDevice;
        std::strcpy(text, id);
        return cudaSuccess;
    });
}

// --- other devices: there are none

LANESCOPE_CUDA cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return call("cudaDeviceCanAccessPeer", [&](Runtime&, Device&) {
        if (can == nullptr) return cudaErrorInvalidValue;
        if (!is_the_device(device) || !is_the_device(peer)) return cudaErrorInvalidDevice;
        *can = 0;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    return call("cudaDeviceEnablePeerAccess", [&](Runtime&, Device&) {
        return is_the_device(peer) ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceDisablePeerAccess(int) {
    return call("cudaDeviceDisablePeerAccess", [](Runtime&, Device&) { return cudaErrorInvalidDevice; });
}

LANESCOPE_CUDA cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
    return call("cudaIpcGetMemHandle", [](Runtime&, Device&) { return cudaErrorNotSupported; });
}

// --- pools of memory: there is one, and it is the device's memory

namespace lanescope::cudart {

namespace {

const cudaMemPool_t the_pool = reinterpret_cast<cudaMemPool_t>(1);

cudaError_t give_pool(cudaMemPool_t* pool, int number) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!is_the_device(number)) return cudaErrorInvalidDevice;
    *pool = the_pool;
    return cudaSuccess;
}

}  // namespace

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
    return call("cudaDeviceGetDefaultMemPool", [&](Runtime&, Device&) { return give_pool(pool, number); });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int number) {
    return call("cudaDeviceGetMemPool", [&](Runtime&, Device&) { return give_pool(pool, number); });
}

// What is kept in a pool, and when it is given back, changes nothing that a program can see here.
LANESCOPE_CUDA cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
    return call("cudaMemPoolSetAttribute", [&](Runtime&, Device&) {
        return pool == the_pool && value != nullptr ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANESCOPE_CUDA cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    return call("cudaMemPoolTrimTo",
                [&](Runtime&, Device&) { return pool == the_pool ? cudaSuccess : cudaErrorInvalidValue; });
}

// It returns no error, so that it is not among the functions that the build generates.
LANESCOPE_CUDA cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                           cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

LANESCOPE_CUDA cudaError_t cudaProfilerStart() {
    return call("cudaProfilerStart", [](Runtime&, Device&) { return cudaSuccess; });
}

LANESCOPE_CUDA cudaError_t cudaProfilerStop() {
    return call("cudaProfilerStop", [](Runtime&, Device&) { return cudaSuccess; });
}
