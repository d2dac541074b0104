#include <algorithm>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

// The limits of compute capability 9.0 (CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability").
constexpr int shared_per_multiprocessor = 228 << 10, shared_per_block = 48 << 10, most_shared = 227 << 10;
constexpr unsigned multiprocessors = 132, most_threads = 1024;
constexpr int reserved_shared = 1 << 10, blocks_per_multiprocessor = 32, threads_per_multiprocessor = 2048;
// PTX does not say how many registers a kernel needs.
constexpr int assumed_registers = 32;
// Blocks of a cluster: portable to all GPUs with clusters, and of this one.
constexpr std::uint64_t portable_cluster_blocks = 8, most_cluster_blocks = 16;
// Clusters of 1 to 16 blocks that an H200 holds when one block fills a multiprocessor.
// Inaccuracy: with several blocks on each it holds up to half more than that many times these.
constexpr int clusters_of_single_blocks[most_cluster_blocks] = {132, 66, 39, 30, 22, 17, 15, 15,
                                                                9,   7,  7,  7,  7,  7,  7,  7};

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

// The blocks of a cluster, if the launch has clusters: as given, compiled, or set for the kernel.
std::optional<trace::Dim3> cluster_of(const RegisteredFunction& function, const simt::Kernel& kernel,
                                      const std::optional<trace::Dim3>& given) {
    if (given && (given->x | given->y | given->z) != 0) return given;
    if (kernel.required_cluster.count() != 0) return kernel.required_cluster;
    if (function.required_cluster.count() != 0) return function.required_cluster;
    return std::nullopt;
}

std::optional<trace::Dim3> cluster_attribute(const cudaLaunchConfig_t& configuration) {
    std::optional<trace::Dim3> found;
    for (unsigned i = 0; i < configuration.numAttrs; ++i) {
        const cudaLaunchAttribute& each = configuration.attrs[i];
        if (each.id == cudaLaunchAttributeClusterDimension)
            found = {each.val.clusterDim.x, each.val.clusterDim.y, each.val.clusterDim.z};
    }
    return found;
}

bool fits_clusters(const RegisteredFunction& function, const simt::Kernel& kernel, const trace::Dim3& grid,
                   const trace::Dim3& cluster) {
    const std::uint64_t most = function.large_clusters ? most_cluster_blocks : portable_cluster_blocks;
    const trace::Dim3& required =
        kernel.required_cluster.count() != 0 ? kernel.required_cluster : function.required_cluster;
    return cluster.count() != 0 && cluster.count() <= most && grid.x % cluster.x == 0 &&
           grid.y % cluster.y == 0 && grid.z % cluster.z == 0 &&
           (required.count() == 0 || required == cluster);
}

cudaError_t run(Runtime& runtime, Device& device, const Launch& launch) {
    cudaError_t fault = cudaSuccess;
    const cudaError_t error = device.launch(launch, fault);
    if (fault != cudaSuccess) runtime.fail_later(fault);
    return error;
}

// Attributes that are not about clusters are hints.
cudaError_t set_cluster_attribute(RegisteredFunction& function, const simt::Kernel& kernel,
                                  cudaFuncAttribute attribute, int value) {
    std::uint32_t* part = nullptr;
    switch (attribute) {
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
            function.large_clusters = value != 0;
            return cudaSuccess;
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            if (value < cudaClusterSchedulingPolicyDefault ||
                value > cudaClusterSchedulingPolicyLoadBalancing)
                return cudaErrorInvalidValue;
            function.cluster_policy = value;
            return cudaSuccess;
        case cudaFuncAttributeRequiredClusterWidth:
            part = &function.required_cluster.x;
            break;
        case cudaFuncAttributeRequiredClusterHeight:
            part = &function.required_cluster.y;
            break;
        case cudaFuncAttributeRequiredClusterDepth:
            part = &function.required_cluster.z;
            break;
        default:
            return cudaSuccess;
    }
    if (kernel.required_cluster.count() != 0 || value < 0) return cudaErrorInvalidValue;
    *part = static_cast<std::uint32_t>(value);
    return cudaSuccess;
}

struct ClusterQuery {
    const RegisteredFunction* function = nullptr;
    trace::Dim3 cluster{};
    int resident = 0;  // blocks on a multiprocessor
};

// What a configuration says of clusters. Errors: the launch would not be accepted.
cudaError_t ask(Runtime& runtime, Device& device, const void* function,
                const cudaLaunchConfig_t* configuration, ClusterQuery& query) {
    if (configuration == nullptr) return cudaErrorInvalidValue;
    query.function = function_of(runtime, function);
    if (query.function == nullptr) return cudaErrorInvalidResourceHandle;
    const Result<const simt::Kernel*> kernel = device.kernel(*query.function);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    const dim3 &grid = configuration->gridDim, &block = configuration->blockDim;
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    if (threads == 0 || threads > most_threads) return cudaErrorInvalidValue;
    query.cluster =
        cluster_of(*query.function, **kernel, cluster_attribute(*configuration)).value_or(trace::Dim3{});
    if (!fits_clusters(*query.function, **kernel, {grid.x, grid.y, grid.z}, query.cluster))
        return cudaErrorInvalidClusterSize;
    query.resident = resident_blocks(**kernel, static_cast<int>(threads), configuration->dynamicSmemBytes);
    return cudaSuccess;
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
                          void** arguments, std::size_t shared, cudaStream_t stream, bool cooperative,
                          const std::optional<trace::Dim3>& cluster = {}) {
    const RegisteredFunction* known = function_of(runtime, function);
    const Stream* target = runtime.stream(stream);
    if (known == nullptr)
        return function == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
    device.timeline().journal().set_kernel(known->symbol);
    if (target == nullptr) return cudaErrorInvalidResourceHandle;
    const Result<const simt::Kernel*> kernel = device.kernel(*known);
    if (kernel.ok() && !may_have(*known, **kernel, shared)) return cudaErrorInvalidValue;
    if (kernel.ok() && arguments == nullptr && !(*kernel)->info.parameters.empty())
        return cudaErrorInvalidValue;
    const auto threads = static_cast<std::uint64_t>(block.x) * block.y * block.z;
    if (cooperative && kernel.ok() && threads >= 1 && threads <= most_threads &&
        static_cast<std::uint64_t>(grid.x) * grid.y * grid.z >
            std::uint64_t{multiprocessors} *
                static_cast<std::uint64_t>(resident_blocks(**kernel, static_cast<int>(threads), shared)))
        return cudaErrorCooperativeLaunchTooLarge;
    Launch launch{
        known,         {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, arguments, cooperative,
        target->number};
    if (kernel.ok()) launch.cluster = cluster_of(*known, **kernel, cluster);
    if (launch.cluster && threads >= 1 && threads <= most_threads && launch.grid.count() != 0 &&
        !fits_clusters(*known, **kernel, launch.grid, *launch.cluster))
        return cudaErrorInvalidClusterSize;
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
        for (unsigned i = 0; i < configuration->numAttrs; ++i)
            if (configuration->attrs[i].id == cudaLaunchAttributeCooperative)
                cooperative = configuration->attrs[i].val.cooperative != 0;
        const std::optional<trace::Dim3> cluster = cluster_attribute(*configuration);
        return launch_kernel(runtime, device, function, configuration->gridDim, configuration->blockDim,
                             arguments, configuration->dynamicSmemBytes, configuration->stream, cooperative,
                             cluster);
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
        const trace::Dim3 &compiled = (*kernel)->required_cluster,
                          &cluster = compiled.count() != 0 ? compiled : known->required_cluster;
        attributes->clusterDimMustBeSet = compiled.count() != 0 ? 1 : 0;
        attributes->requiredClusterWidth = static_cast<int>(cluster.x);
        attributes->requiredClusterHeight = static_cast<int>(cluster.y);
        attributes->requiredClusterDepth = static_cast<int>(cluster.z);
        attributes->nonPortableClusterSizeAllowed = known->large_clusters ? 1 : 0;
        attributes->clusterSchedulingPolicyPreference = known->cluster_policy;
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
        const Result<const simt::Kernel*> kernel = device.kernel(*known);
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
            return set_cluster_attribute(*known, **kernel, attribute, value);
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

LANESCOPE_CUDA cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                                const cudaLaunchConfig_t* configuration) {
    return call("cudaOccupancyMaxPotentialClusterSize", [&](Runtime& runtime, Device& device) {
        ClusterQuery query;
        if (blocks == nullptr) return cudaErrorInvalidValue;
        const cudaError_t error = ask(runtime, device, function, configuration, query);
        if (error != cudaSuccess) return error;
        const std::uint64_t most =
            query.function->large_clusters ? most_cluster_blocks : portable_cluster_blocks;
        *blocks = query.resident == 0 ? 0 : static_cast<int>(most);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                                          const cudaLaunchConfig_t* configuration) {
    return call("cudaOccupancyMaxActiveClusters", [&](Runtime& runtime, Device& device) {
        ClusterQuery query;
        if (clusters == nullptr) return cudaErrorInvalidValue;
        const cudaError_t error = ask(runtime, device, function, configuration, query);
        if (error != cudaSuccess) return error;
        constexpr int most_on_multiprocessor = 8;
        *clusters = clusters_of_single_blocks[query.cluster.count() - 1] *
                    std::min(query.resident, most_on_multiprocessor);
        return cudaSuccess;
    });
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
