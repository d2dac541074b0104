// cudaDeviceProp of CUDA 12, and what it has of CUDA 13's.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>

namespace lanescope::cudart {

struct Properties12 {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D;
    int maxTexture1DMipmap;
    int maxTexture1DLinear;
    int maxTexture2D[2];
    int maxTexture2DMipmap[2];
    int maxTexture2DLinear[3];
    int maxTexture2DGather[2];
    int maxTexture3D[3];
    int maxTexture3DAlt[3];
    int maxTextureCubemap;
    int maxTexture1DLayered[2];
    int maxTexture2DLayered[3];
    int maxTextureCubemapLayered[2];
    int maxSurface1D;
    int maxSurface2D[2];
    int maxSurface3D[3];
    int maxSurface1DLayered[2];
    int maxSurface2DLayered[3];
    int maxSurfaceCubemap;
    int maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize;
    int persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int sparseCudaArraySupported;
    int hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported;
    int memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported;
    int ipcEventSupported;
    int clusterLaunch;
    int unifiedFunctionPointers;
    int reserved[63];
};
static_assert(sizeof(Properties12) == 1032);

// CUDA 11 ended here, and so does what CUDA 12's cudaGetDeviceProperties without _v2 writes.
constexpr std::size_t properties11_bytes = offsetof(Properties12, hostRegisterSupported);

// Clocks and what belongs to displays stay 0, as the attributes say.
inline Properties12 to_properties12(const cudaDeviceProp& now) {
    Properties12 made{};
    const auto copy = [](auto& to, const auto& from) {
        static_assert(sizeof to == sizeof from);
        std::memcpy(&to, &from, sizeof to);
    };
    copy(made.name, now.name);
    copy(made.uuid, now.uuid);
    copy(made.luid, now.luid);
    copy(made.luidDeviceNodeMask, now.luidDeviceNodeMask);
    copy(made.totalGlobalMem, now.totalGlobalMem);
    copy(made.sharedMemPerBlock, now.sharedMemPerBlock);
    copy(made.regsPerBlock, now.regsPerBlock);
    copy(made.warpSize, now.warpSize);
    copy(made.memPitch, now.memPitch);
    copy(made.maxThreadsPerBlock, now.maxThreadsPerBlock);
    copy(made.maxThreadsDim, now.maxThreadsDim);
    copy(made.maxGridSize, now.maxGridSize);
    copy(made.totalConstMem, now.totalConstMem);
    copy(made.major, now.major);
    copy(made.minor, now.minor);
    copy(made.textureAlignment, now.textureAlignment);
    copy(made.texturePitchAlignment, now.texturePitchAlignment);
    copy(made.multiProcessorCount, now.multiProcessorCount);
    copy(made.integrated, now.integrated);
    copy(made.canMapHostMemory, now.canMapHostMemory);
    copy(made.maxTexture1D, now.maxTexture1D);
    copy(made.maxTexture1DMipmap, now.maxTexture1DMipmap);
    copy(made.maxTexture2D, now.maxTexture2D);
    copy(made.maxTexture2DMipmap, now.maxTexture2DMipmap);
    copy(made.maxTexture2DLinear, now.maxTexture2DLinear);
    copy(made.maxTexture2DGather, now.maxTexture2DGather);
    copy(made.maxTexture3D, now.maxTexture3D);
    copy(made.maxTexture3DAlt, now.maxTexture3DAlt);
    copy(made.maxTextureCubemap, now.maxTextureCubemap);
    copy(made.maxTexture1DLayered, now.maxTexture1DLayered);
    copy(made.maxTexture2DLayered, now.maxTexture2DLayered);
    copy(made.maxTextureCubemapLayered, now.maxTextureCubemapLayered);
    copy(made.maxSurface1D, now.maxSurface1D);
    copy(made.maxSurface2D, now.maxSurface2D);
    copy(made.maxSurface3D, now.maxSurface3D);
    copy(made.maxSurface1DLayered, now.maxSurface1DLayered);
    copy(made.maxSurface2DLayered, now.maxSurface2DLayered);
    copy(made.maxSurfaceCubemap, now.maxSurfaceCubemap);
    copy(made.maxSurfaceCubemapLayered, now.maxSurfaceCubemapLayered);
    copy(made.surfaceAlignment, now.surfaceAlignment);
    copy(made.concurrentKernels, now.concurrentKernels);
    copy(made.ECCEnabled, now.ECCEnabled);
    copy(made.pciBusID, now.pciBusID);
    copy(made.pciDeviceID, now.pciDeviceID);
    copy(made.pciDomainID, now.pciDomainID);
    copy(made.tccDriver, now.tccDriver);
    copy(made.asyncEngineCount, now.asyncEngineCount);
    copy(made.unifiedAddressing, now.unifiedAddressing);
    copy(made.memoryBusWidth, now.memoryBusWidth);
    copy(made.l2CacheSize, now.l2CacheSize);
    copy(made.persistingL2CacheMaxSize, now.persistingL2CacheMaxSize);
    copy(made.maxThreadsPerMultiProcessor, now.maxThreadsPerMultiProcessor);
    copy(made.streamPrioritiesSupported, now.streamPrioritiesSupported);
    copy(made.globalL1CacheSupported, now.globalL1CacheSupported);
    copy(made.localL1CacheSupported, now.localL1CacheSupported);
    copy(made.sharedMemPerMultiprocessor, now.sharedMemPerMultiprocessor);
    copy(made.regsPerMultiprocessor, now.regsPerMultiprocessor);
    copy(made.managedMemory, now.managedMemory);
    copy(made.isMultiGpuBoard, now.isMultiGpuBoard);
    copy(made.multiGpuBoardGroupID, now.multiGpuBoardGroupID);
    copy(made.hostNativeAtomicSupported, now.hostNativeAtomicSupported);
    copy(made.pageableMemoryAccess, now.pageableMemoryAccess);
    copy(made.concurrentManagedAccess, now.concurrentManagedAccess);
    copy(made.computePreemptionSupported, now.computePreemptionSupported);
    copy(made.canUseHostPointerForRegisteredMem, now.canUseHostPointerForRegisteredMem);
    copy(made.cooperativeLaunch, now.cooperativeLaunch);
    copy(made.sharedMemPerBlockOptin, now.sharedMemPerBlockOptin);
    copy(made.pageableMemoryAccessUsesHostPageTables, now.pageableMemoryAccessUsesHostPageTables);
    copy(made.directManagedMemAccessFromHost, now.directManagedMemAccessFromHost);
    copy(made.maxBlocksPerMultiProcessor, now.maxBlocksPerMultiProcessor);
    copy(made.accessPolicyMaxWindowSize, now.accessPolicyMaxWindowSize);
    copy(made.reservedSharedMemPerBlock, now.reservedSharedMemPerBlock);
    copy(made.hostRegisterSupported, now.hostRegisterSupported);
    copy(made.sparseCudaArraySupported, now.sparseCudaArraySupported);
    copy(made.hostRegisterReadOnlySupported, now.hostRegisterReadOnlySupported);
    copy(made.timelineSemaphoreInteropSupported, now.timelineSemaphoreInteropSupported);
    copy(made.memoryPoolsSupported, now.memoryPoolsSupported);
    copy(made.gpuDirectRDMASupported, now.gpuDirectRDMASupported);
    copy(made.gpuDirectRDMAFlushWritesOptions, now.gpuDirectRDMAFlushWritesOptions);
    copy(made.gpuDirectRDMAWritesOrdering, now.gpuDirectRDMAWritesOrdering);
    copy(made.memoryPoolSupportedHandleTypes, now.memoryPoolSupportedHandleTypes);
    copy(made.deferredMappingCudaArraySupported, now.deferredMappingCudaArraySupported);
    copy(made.ipcEventSupported, now.ipcEventSupported);
    copy(made.clusterLaunch, now.clusterLaunch);
    copy(made.unifiedFunctionPointers, now.unifiedFunctionPointers);
    made.deviceOverlap = now.asyncEngineCount > 0 ? 1 : 0;
    return made;
}

}  // namespace lanescope::cudart
