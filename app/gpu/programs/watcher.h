// What a program does on a GPU: its launches, their times, its memory and the errors of its calls, kept in
// the same journal that the CPU machine's runtime writes. CUDA's own runtime does the work.
//
// Every launch is timed by events on its own stream. A launch that request.json names runs first with
// instrumented code, which is recorded; then memory is given back what it held, and the launch runs
// untouched.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cudart/runtime/code.h"
#include "cudart/runtime/journal.h"
#include "cudart/runtime/registry.h"
#include "gpu/programs/watched_host.h"

namespace lanescope::gpu {

struct AskedLaunch {
    const void* function = nullptr;  // the host's
    dim3 grid, block;
    void** arguments = nullptr;
    std::size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
    bool cooperative = false;
    std::optional<trace::Dim3> cluster{};
};

class Watcher {
  public:
    static Watcher& instance();
    std::recursive_mutex& mutex() { return mutex_; }
    cudart::Journal& journal() { return journal_; }

    // --- what nvcc's code registers
    void add_module(void** handle, const void* wrapper);
    void add_function(void** handle, const void* host, const char* symbol);
    void add_variable(void** handle, const void* host, const char* symbol, std::size_t size_bytes,
                      bool constant);
    void add_kernel(cudaKernel_t kernel, const void* host) { kernels_[kernel] = host; }
    const void* function_of(cudaKernel_t kernel) const;
    // What the host calls a variable of the device; empty: it is not one.
    std::string variable_name(const void* host) const;

    // --- what the program does
    cudaError_t launch(const AskedLaunch& asked, const std::function<cudaError_t()>& submit);
    // Begins the journal if nothing has.
    WatchedHost& host();
    // The variable of this address of the host's lies at `place`.
    void note_variable(const void* host, const void* place);
    void reset();  // after cudaDeviceReset: handles and memory are gone
    // Whether work on the stream goes into a graph that is being captured.
    static bool is_capturing(cudaStream_t stream);
    // Notes an error; returns it.
    cudaError_t returned(cudaError_t error);
    // Takes the times of launches that have ended, or finds that one has failed; asks the events.
    void settle();

  private:
    struct Timed {
        std::uint64_t launch = 0;
        cudaEvent_t begin = nullptr, end = nullptr;
    };
    Watcher() = default;
    void begin();  // once, when the runtime works
    void end();    // of the process
    void note_fault(cudaError_t error);
    void note_debug_code(std::size_t module);
    std::string name_of(const void* function) const;
    cudaError_t timed(const AskedLaunch& asked, const std::function<cudaError_t()>& submit);
    bool record(const AskedLaunch& asked, nlohmann::ordered_json& event);
    cudart::DeviceCode* code_of(std::size_t module);

    std::recursive_mutex mutex_;
    bool begun_ = false;
    cudart::Journal journal_{"LANESCOPE_GPU_PROGRAM"};
    cudart::Registry registry_;
    std::map<void**, std::size_t> modules_;
    std::map<cudaKernel_t, const void*> kernels_;
    WatchedHost host_{journal_};
    std::uint64_t launches_ = 0;
    std::map<std::string, std::uint64_t> kernel_launches_;
    std::deque<Timed> timed_;  // not ended, as far as is known
    std::string lost_fault_;   // which no call has returned
    std::map<std::size_t, std::unique_ptr<cudart::DeviceCode>> codes_;
};

}  // namespace lanescope::gpu
