// What every function of the interface does: it takes the lock, refuses after an error that has ended the
// context, and remembers its own error.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

#include "cudart/runtime/runtime.h"

#define LANESCOPE_CUDA extern "C" __attribute__((visibility("default")))

namespace lanescope::cudart {

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
// The same for rows at distances. Error: a row is longer than the distance.
cudaError_t copy_rows(Device& device, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t rows, cudaMemcpyKind kind);

// The same for filling rows.
cudaError_t fill_rows(Device& device, void* to, std::size_t pitch, int value, std::size_t width,
                      std::size_t rows);
cudaError_t copy_box(Device& device, const cudaMemcpy3DParms& box);
// A launch with the values that the arguments have now, for a graph.
cudaError_t kernel_work(Runtime& runtime, Device& device, const void* function, dim3 grid, dim3 block,
                        void** arguments, std::size_t shared, Work& work);

}  // namespace lanescope::cudart
