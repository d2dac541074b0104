// What every function of the interface does: it takes the lock, refuses after an error that has ended the
// context, and remembers its own error.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

#include "cudart/runtime/runtime.h"

#define LANESCOPE_CUDA extern "C" __attribute__((visibility("default")))

namespace lanescope::cudart {

constexpr std::size_t most_window_bytes = 128 << 20;  // of an access policy of the L2 cache

// `act(runtime, device)` gives the error.
template <class Act>
cudaError_t call(const char* function, const Act& act) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    const Journal::Inside inside(runtime.journal(), function);
    if (runtime.sticky() != cudaSuccess) return runtime.returned(function, runtime.sticky());
    return runtime.returned(function, act(runtime, runtime.device()));
}

// A call that no earlier error ends, because it asks nothing of the device. `act()` gives the error.
template <class Act>
cudaError_t stateless_call(const char* function, const Act& act) {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex());
    const Journal::Inside inside(runtime.journal(), function);
    return runtime.returned(function, act());
}

// A call that waits for the device first, and then returns what earlier kernels did wrong.
template <class Act>
cudaError_t waiting_call(const char* function, const Act& act) {
    return call(function, [&](Runtime& runtime, Device& device) {
        if (runtime.is_capturing()) return cudaErrorStreamCaptureUnsupported;
        if (const cudaError_t fault = runtime.synchronise(); fault != cudaSuccess) return fault;
        return act(runtime, device);
    });
}

inline std::uint64_t address_of(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}
inline void* pointer_to(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}

// Copies between any two places, as cudaMemcpy does. Errors: a null pointer; a pointer that is not of the
// kind that the direction says; memory that is not the program's.
cudaError_t copy_bytes(Device& device, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
// Copies rows at distances. Error: a row is longer than the distance.
cudaError_t copy_rows(Device& device, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t rows, cudaMemcpyKind kind);

// The same for rows of several slices; both have as many.
cudaError_t copy_rows(Device& device, const Rows& to, const Rows& from, cudaMemcpyKind kind);

// Fills rows at distances. Error: a row is longer than the distance.
cudaError_t fill_rows(Device& device, const Rows& to, int value);
cudaError_t fill_rows(Device& device, void* to, std::size_t pitch, int value, std::size_t width,
                      std::size_t rows);
cudaError_t copy_box(Device& device, const cudaMemcpy3DParms& box);
// The box of a copy of bytes in a row.
cudaMemcpy3DParms box_of(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
// The place of a variable. Errors: it is not one; it is too small.
cudaError_t symbol_place(Runtime& runtime, Device& device, const void* symbol, std::size_t offset,
                         std::size_t bytes, void** place);

// A variable of the device, by the host's address of it, and bytes in it.
struct Symbol {
    const void* address;
    std::size_t offset;
};

inline Graph::Node* node_of(cudaGraphNode_t handle) {
    return reinterpret_cast<Graph::Node*>(handle);
}
inline cudaGraphNode_t handle_of(const Graph::Node* node) {
    return reinterpret_cast<cudaGraphNode_t>(const_cast<Graph::Node*>(node));
}

// --- what nodes of graphs do, each with the parameters that it has now
cudaError_t describe_node(Runtime& runtime, Device& device, cudaGraphNodeParams* given, Task& task);
cudaError_t describe_copy(const cudaMemcpy3DParms* box, Task& task);
cudaError_t describe_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Task& task);
cudaError_t describe_to_symbol(Runtime& runtime, Device& device, Symbol to, const void* from,
                               std::size_t bytes, cudaMemcpyKind kind, Task& task);
cudaError_t describe_from_symbol(Runtime& runtime, Device& device, void* to, Symbol from, std::size_t bytes,
                                 cudaMemcpyKind kind, Task& task);
cudaError_t describe_fill(const cudaMemsetParams* fill, Task& task);
cudaError_t describe_child(Runtime& runtime, cudaGraph_t child, Task& task);
cudaError_t describe_record(Runtime& runtime, cudaEvent_t event, Task& task);
cudaError_t describe_wait(Runtime& runtime, cudaEvent_t event, Task& task);
cudaError_t describe_kernel(Runtime& runtime, Device& device, const cudaKernelNodeParams* kernel, Task& task);
cudaError_t describe_host(const cudaHostNodeParams* host, Task& task);
// Records the event, as it is reached in the stream of this number.
void record_now(Device& device, Event& event, std::uint64_t stream);
// Memory with one address, which lives as long as a graph has the node.
cudaError_t describe_allocation(Runtime& runtime, Device& device, void** pointer, std::size_t bytes,
                                Task& task);
cudaError_t describe_release(Device& device, void* pointer, Task& task);

}  // namespace lanescope::cudart
