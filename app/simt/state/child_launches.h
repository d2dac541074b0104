// Grids that kernels launch: the state of CUDA's device runtime (CDP2) between a launch and its start.
//
// A child grid runs as a launch of its own, behind the grid that launched it, in the order of the launches;
// tail launches come last. Code cannot wait for its children, so that hardware promises no more than
// this order.
//
// Inaccuracies: children never overlap with the grid that launched them; all streams are one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "simt/program/program.h"

namespace lanescope::simt {

struct LaunchContext;
struct Warp;

// CUDA C++ Programming Guide, "Dynamic Parallelism": nesting depth and cudaLimitDevRuntimePendingLaunchCount.
constexpr std::uint32_t max_nesting = 24;
constexpr std::size_t max_pending_launches = 2048;

// cudaError_t, as the device runtime returns it.
namespace device_error {
constexpr std::uint32_t none = 0, invalid_value = 1, memory_allocation = 2, invalid_configuration = 9,
                        launch_max_depth = 65, launch_pending_count = 69, invalid_device_function = 98;
}

struct ChildLaunch {
    const Kernel* kernel = nullptr;
    trace::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    std::uint64_t buffer = 0;  // address of its parameters
    std::uint32_t parent_block = 0;
    bool tail = false;
    std::uint64_t turn = ~0ull;  // of the trace, in which it was launched; ~0: not recorded
};

// Parameter buffers of one machine; one is used again once its launch has started.
class ParameterBuffers {
  public:
    // The address of `size_bytes`, 0 when memory is short.
    std::uint64_t take(LaunchContext& run, std::uint64_t size_bytes);
    void give(std::uint64_t address, std::uint64_t size_bytes) { free_[size_bytes].push_back(address); }

  private:
    std::map<std::uint64_t, std::vector<std::uint64_t>> free_;
};
std::uint64_t parameter_buffer_bytes(const Kernel& kernel);

// The child launches of one grid while it runs. `level`: how many grids lie above it; `pending`: launches
// that wait above it.
class ChildLaunches {
  public:
    ChildLaunches(ParameterBuffers& buffers, std::uint32_t level, std::size_t pending)
        : buffers_(buffers), level_(level), pending_(pending) {}

    // What cudaGetParameterBufferV2 gives: where the arguments go. If the launch is impossible: 0, a problem,
    // and an error for the thread.
    std::uint64_t prepare(Warp& warp, std::uint32_t pc, unsigned lane, std::uint64_t function,
                          const ChildLaunch& wanted);
    // cudaLaunchDeviceV2: the error code.
    std::uint32_t launch(Warp& warp, unsigned lane, std::uint64_t buffer, std::uint64_t stream);
    std::uint32_t last_error(const Warp& warp, unsigned lane, bool clear);

    // The launched grids, in the order in which they run.
    std::vector<ChildLaunch> in_order() const;

  private:
    std::string refusal(const LaunchContext& run, const ChildLaunch& child, std::uint32_t& code) const;
    std::uint32_t fail(const Warp& warp, unsigned lane, std::uint32_t code);

    ParameterBuffers& buffers_;
    std::uint32_t level_;
    std::size_t pending_;
    std::map<std::uint64_t, ChildLaunch> prepared_;  // by buffer
    std::vector<ChildLaunch> launched_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> errors_;  // by block and thread
};

}  // namespace lanescope::simt
