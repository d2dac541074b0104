#include <algorithm>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

// The limits of compute capability 9.0 (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability").
constexpr int shared_per_multiprocessor = 228 << 10, shared_per_block = 48 << 10, most_shared = 227 << 10;
constexpr unsigned multiprocessors = 132;
constexpr int reserved_shared = 1 << 10, blocks_per_multiprocessor = 32, threads_per_multiprocessor = 2048;
// PTX does not say how many registers a kernel needs.
constexpr int assumed_registers = 32;

RegisteredFunction* function_of(Runtime& runtime, const void* function) {
    const auto known = runtime.registry().functions.find(function);
    return known == runtime.registry().functions.end() ? nullptr : &known->second;
}

std::size_t module_of(void** handle) {
    return reinterpret_cast<std::size_t>(handle) - 1;
}

// Whether dynamic shared memory beyond 48 KB was asked for beforehand, as CUDA wants it.
bool may_have(const RegisteredFunction& function, const simt::Kernel& kernel, std::size_t dynamic) {
    const std::size_t whole = kernel.info.static_shared_bytes + dynamic;
    if (function.opted_in) return dynamic <= static_cast<std::size_t>(function.most_dynamic_shared);
    return dynamic == 0 || whole <= shared_per_block;
}

int resident_blocks(const simt::Kernel& kernel, int threads, std::size_t dynamic) {
    if (threads <= 0 || threads > 1024) return 0;
    const int warps = (threads + 31) / 32;
    const std::size_t shared = kernel.info.static_shared_bytes + dynamic + reserved_shared;
    if (shared > shared_per_multiprocessor) return 0;
    return std::min({blocks_per_multiprocessor, threads_per_multiprocessor / (warps * 32),
                     static_cast<int>(shared_per_multiprocessor / shared),
                     (64 << 10) / (assumed_registers * warps * 32)});
}

cudaError_t run(Runtime& runtime, Device& device, const Launch& launch) {
    cudaError_t fault = cudaSuccess;
    const cudaError_t error = device.launch(launch, fault);
    if (fault != cudaSuccess) runtime.fail_later(fault);
    return error;
}

// What a graph does for a launch, with the values that the arguments have now.
Task replay(Runtime& runtime, Launch launch, const void* function, const simt::KernelInfo& kernel) {
    const auto kept = std::make_shared<KernelParameters>();
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const auto* const first = static_cast<const std::byte*>(launch.arguments[i]);
        kept->values.emplace_back(first, first + kernel.parameters[i].size_bytes());
    }
    for (std::vector<std::byte>& value : kept->values)
        kept->pointers.push_back(value.data());
    launch.arguments = kept->pointers.data();
    kept->given = {const_cast<void*>(function),
                   {launch.grid.x, launch.grid.y, launch.grid.z},
                   {launch.block.x, launch.block.y, launch.block.z},
                   static_cast<unsigned>(launch.dynamic_shared_bytes),
                   nullptr,
                   nullptr};
    return {cudaGraphNodeTypeKernel,
            [launch, kept, &runtime](Device& now) mutable {
                launch.stream = now.timeline().stream();
                return run(runtime, now, launch);
            },
            kept};
}

cudaError_t launch_kernel(Runtime& runtime, Device& device, const void* function, dim3 grid, dim3 block,
                          void** arguments, std::size_t shared, cudaStream_t stream, bool cooperative) {
    const RegisteredFunction* known = function_of(runtime, function);
    const Stream* target = runtime.stream(stream);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    if (target == nullptr) return cudaErrorInvalidResourceHandle;
    const Result<const simt::Kernel*> kernel = device.kernel(*known);
    if (kernel.ok() && !may_have(*known, **kernel, shared)) return cudaErrorInvalidValue;
    if (kernel.ok() && arguments == nullptr && !(*kernel)->info.parameters.empty())
        return cudaErrorInvalidValue;
    const auto threads = static_cast<std::uint64_t>(block.x) * block.y * block.z;
    if (cooperative && kernel.ok() && threads >= 1 && threads <= 1024 &&
        static_cast<std::uint64_t>(grid.x) * grid.y * grid.z >
            std::uint64_t{multiprocessors} *
                static_cast<std::uint64_t>(resident_blocks(**kernel, static_cast<int>(threads), shared)))
        return cudaErrorCooperativeLaunchTooLarge;
    Launch launch{
        known,         {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, arguments, cooperative,
        target->number};
    if (target->capture != cudaStreamCaptureStatusActive || !kernel) return run(runtime, device, launch);
    return runtime.submit(stream, replay(runtime, launch, function, (*kernel)->info));
}

}  // namespace

cudaError_t describe_kernel(Runtime& runtime, Device& device, const cudaKernelNodeParams* kernel,
                            Task& task) {
    if (kernel == nullptr) return cudaErrorInvalidValue;
    if (kernel->extra != nullptr) {
        device.timeline().journal().explain("arguments in one buffer (extra) are not supported");
        return cudaErrorNotSupported;
    }
    const RegisteredFunction* known = function_of(runtime, kernel->func);
    if (known == nullptr) return cudaErrorInvalidDeviceFunction;
    const Result<const simt::Kernel*> loaded = device.kernel(*known);
    if (!loaded) return cudaErrorInvalidDeviceFunction;
    const simt::KernelInfo& info = (*loaded)->info;
    if (!may_have(*known, **loaded, kernel->sharedMemBytes) ||
        (kernel->kernelParams == nullptr && !info.parameters.empty()))
        return cudaErrorInvalidValue;
    const dim3 &grid = kernel->gridDim, &block = kernel->blockDim;
    task = replay(runtime,
                  {known,
                   {grid.x, grid.y, grid.z},
                   {block.x, block.y, block.z},
                   kernel->sharedMemBytes,
                   kernel->kernelParams,
                   false,
                   0},
                  kernel->func, info);
    return cudaSuccess;
}

}  // namespace lanescope::cudart

// --- what nvcc's code calls before main()

LANESCOPE_CUDA void** __cudaRegisterFatBinary(void* wrapper) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    return reinterpret_cast<void**>(add_module(runtime.registry(), wrapper) + 1);
}

LANESCOPE_CUDA void __cudaRegisterFatBinaryEnd(void**) {}

LANESCOPE_CUDA void __cudaUnregisterFatBinary(void** handle) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    const std::size_t module = module_of(handle);
    if (module < runtime.registry().modules.size()) runtime.registry().modules[module]->live = false;
}

LANESCOPE_CUDA void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int,
                                           uint3*, uint3*, dim3*, dim3*, int*) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    runtime.registry().functions[host] = {module_of(handle), name};
}

LANESCOPE_CUDA void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t size,
                                      int constant, int) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    runtime.registry().variables[host] = {module_of(handle), name, size, constant != 0, nullptr};
}

LANESCOPE_CUDA void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                                             size_t size, int constant, int) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    runtime.registry().variables[host] = {module_of(handle), name, size, constant != 0, host};
}

LANESCOPE_CUDA char __cudaInitModule(void** handle) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    runtime.device().place_managed_variables(module_of(handle));
    return 1;
}

LANESCOPE_CUDA void __cudaRegisterHostVar(void**, const char*, char*, size_t) {}

// --- launches

LANESCOPE_CUDA unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                    CUstream_st* stream) {
    Runtime::instance().configurations().push_back({grid, block, shared, stream});
    return 0;
}

LANESCOPE_CUDA cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
    std::vector<Runtime::Configuration>& all = Runtime::instance().configurations();
    if (all.empty()) return cudaErrorMissingConfiguration;
    *grid = all.back().grid;
    *block = all.back().block;
    *shared = all.back().shared;
    *static_cast<cudaStream_t*>(stream) = all.back().stream;
    all.pop_back();
    return cudaSuccess;
}

LANESCOPE_CUDA cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                            size_t shared, cudaStream_t stream) {
    return call("cudaLaunchKernel", [&](Runtime& runtime, Device& device) {
        return launch_kernel(runtime, device, function, grid, block, arguments, shared, stream, false);
    });
}

// A kernel's handle is the host's function.
LANESCOPE_CUDA cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}

LANESCOPE_CUDA cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    return call("cudaGetKernel", [&](Runtime& runtime, Device&) {
        if (kernel == nullptr) return cudaErrorInvalidValue;
        if (function_of(runtime, function) == nullptr) return cudaErrorInvalidResourceHandle;
        return __cudaGetKernel(kernel, function);
    });
}

LANESCOPE_CUDA cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                              size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

LANESCOPE_CUDA cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                                       void** arguments, size_t shared, cudaStream_t stream) {
    return call("cudaLaunchCooperativeKernel", [&](Runtime& runtime, Device& device) {
        return launch_kernel(runtime, device, function, grid, block, arguments, shared, stream, true);
    });
}

LANESCOPE_CUDA cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* function,
                                               void** arguments) {
    return call("cudaLaunchKernelExC", [&](Runtime& runtime, Device& device) {
        if (configuration == nullptr) return cudaErrorInvalidValue;
        bool cooperative = false;
        for (unsigned i = 0; i < configuration->numAttrs; ++i) {
            const cudaLaunchAttribute& attribute = configuration->attrs[i];
            if (attribute.id == cudaLaunchAttributeCooperative)
                cooperative = attribute.val.cooperative != 0;
            else if (attribute.id == cudaLaunchAttributeClusterDimension &&
                     attribute.val.clusterDim.x * attribute.val.clusterDim.y * attribute.val.clusterDim.z >
                         1) {
                runtime.journal().warn("clusters that are set at the launch are not supported yet");
                return cudaErrorNotSupported;
            }
        }
        return launch_kernel(runtime, device, function, configuration->gridDim, configuration->blockDim,
                             arguments, configuration->dynamicSmemBytes, configuration->stream, cooperative);
    });
}

// --- what a kernel is

LANESCOPE_CUDA cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return call("cudaFuncGetAttributes", [&](Runtime& runtime, Device& device) {
        const RegisteredFunction* known = function_of(runtime, function);
        if (attributes == nullptr) return cudaErrorInvalidValue;
        if (known == nullptr) return cudaErrorInvalidResourceHandle;
        const Result<const simt::Kernel*> kernel = device.kernel(*known);
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        *attributes = {};
        attributes->sharedSizeBytes = (*kernel)->info.static_shared_bytes;
        attributes->localSizeBytes = device.local_bytes(*known);
        const trace::Dim3 most = (*kernel)->max_threads;
        attributes->maxThreadsPerBlock = most.x == 0 ? 1024 : static_cast<int>(most.count());
        attributes->numRegs = assumed_registers;
        attributes->ptxVersion = attributes->binaryVersion = compute_capability;
        attributes->maxDynamicSharedSizeBytes =
            known->opted_in ? known->most_dynamic_shared
                            : shared_per_block - static_cast<int>((*kernel)->info.static_shared_bytes);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute,
                                                int value) {
    return call("cudaFuncSetAttribute", [&](Runtime& runtime, Device& device) {
        RegisteredFunction* known = function_of(runtime, function);
        if (known == nullptr) return cudaErrorInvalidResourceHandle;
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
        const Result<const simt::Kernel*> kernel = device.kernel(*known);
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        if (value < 0 || value + static_cast<int>((*kernel)->info.static_shared_bytes) > most_shared)
            return cudaErrorInvalidValue;
        known->opted_in = true;
        known->most_dynamic_shared = value;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return call("cudaFuncSetCacheConfig", [&](Runtime& runtime, Device&) {
        return function_of(runtime, function) != nullptr ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

LANESCOPE_CUDA cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
    return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

LANESCOPE_CUDA cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return call("cudaFuncGetName", [&](Runtime& runtime, Device&) {
        const RegisteredFunction* known = function_of(runtime, function);
        if (name == nullptr) return cudaErrorInvalidValue;
        if (known == nullptr) return cudaErrorInvalidResourceHandle;
        *name = known->symbol.c_str();
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                                  const void* function,
                                                                                  int threads, size_t shared,
                                                                                  unsigned) {
    return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Runtime& runtime, Device& device) {
        const RegisteredFunction* known = function_of(runtime, function);
        if (blocks == nullptr) return cudaErrorInvalidValue;
        if (known == nullptr) return cudaErrorInvalidResourceHandle;
        if (threads <= 0) return cudaErrorInvalidValue;
        const Result<const simt::Kernel*> kernel = device.kernel(*known);
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        *blocks = resident_blocks(**kernel, threads, shared);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                         int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

LANESCOPE_CUDA cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared, const void* function,
                                                                     int blocks, int threads) {
    return call("cudaOccupancyAvailableDynamicSMemPerBlock", [&](Runtime& runtime, Device& device) {
        const RegisteredFunction* known = function_of(runtime, function);
        if (shared == nullptr || blocks <= 0 || threads <= 0 || threads > 1024) return cudaErrorInvalidValue;
        if (known == nullptr) return cudaErrorInvalidResourceHandle;
        const Result<const simt::Kernel*> kernel = device.kernel(*known);
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        const int room = shared_per_multiprocessor / blocks - reserved_shared -
                         static_cast<int>((*kernel)->info.static_shared_bytes);
        *shared = static_cast<std::size_t>(std::max(0, std::min(room, most_shared)));
        return cudaSuccess;
    });
}
