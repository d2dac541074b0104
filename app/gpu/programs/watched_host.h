// What a program's host does on a GPU besides its launches: memory, copies, fills, streams, events and waits,
// by the handles of CUDA's own runtime, as events of the journal.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <string>
#include <thread>

#include "cudart/runtime/host_events.h"
#include "gpu/programs/program_memory.h"

namespace lanescope::gpu {

// Rows of bytes that a copy or a fill touches.
struct CopiedRows {
    std::uint64_t width_bytes = 0, rows = 1;
    std::uint64_t bytes() const { return width_bytes * rows; }
};

class WatchedHost {
  public:
    explicit WatchedHost(cudart::Journal& journal) : events_(journal) {}
    ProgramMemory& memory() { return memory_; }
    const ProgramMemory& memory() const { return memory_; }

    // --- streams and events have numbers from 1 on; the default stream is 0
    std::uint64_t stream(cudaStream_t handle);
    std::uint64_t event(cudaEvent_t handle);
    void create_stream(cudaStream_t handle, unsigned flags, int priority);
    void destroy_stream(cudaStream_t handle);
    void create_event(cudaEvent_t handle) { event_numbers_[handle] = ++events_made_; }
    void destroy_event(cudaEvent_t handle) { event_numbers_.erase(handle); }
    void reset();  // after cudaDeviceReset

    // --- memory
    void allocate(const void* pointer, std::uint64_t size_bytes, const char* kind);
    void allocate_in_graph(const void* pointer, std::uint64_t size_bytes);
    void allocate_array(cudaArray_const_t handle, const ProgramArray& array);
    void free(const void* pointer, cudaStream_t stream = nullptr);
    void free_array(cudaArray_const_t handle);

    // --- work; `began_ms`: when the call began
    void copy(cudaStream_t stream, const cudart::HostEnd& to, const cudart::HostEnd& from,
              const CopiedRows& rows, cudaMemcpyKind kind, double began_ms);
    void copy(cudaStream_t stream, const cudaMemcpy3DParms& box, double began_ms);
    void fill(cudaStream_t stream, const void* to, int value, const CopiedRows& rows, double began_ms);
    cudart::HostEvents& events() { return events_; }

  private:
    cudart::HostEvents events_;
    ProgramMemory memory_;
    std::map<cudaStream_t, std::uint64_t> stream_numbers_;
    std::map<std::thread::id, std::uint64_t> thread_streams_;  // cudaStreamPerThread of each
    std::map<cudaEvent_t, std::uint64_t> event_numbers_;
    std::uint64_t streams_made_ = 0, events_made_ = 0;
};

}  // namespace lanescope::gpu
