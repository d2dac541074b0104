#include "simt/state/launch_check.h"

#include <algorithm>

#include "simt/memory/lanes.h"
#include "simt/program/describe_launch.h"
#include "simt/state/cluster.h"
#include "simt/state/launch_context.h"

namespace lanescope::simt {

namespace {

constexpr std::uint64_t max_threads = 1024;
constexpr std::uint64_t max_static_shared = 48 << 10;
constexpr std::uint64_t max_shared = 227 << 10;

std::string dims_text(const trace::Dim3& dims) {
    return std::to_string(dims.x) + "×" + std::to_string(dims.y) + "×" + std::to_string(dims.z);
}

std::string size_error(const Kernel& kernel, const LaunchRequest& request) {
    const trace::Dim3 &grid = request.grid, &block = request.block;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return "the grid is empty: " + dims_text(grid) + " blocks";
    if (block.x == 0 || block.y == 0 || block.z == 0)
        return "the block is empty: " + dims_text(block) + " threads";
    if (block.x > max_threads || block.y > max_threads || block.z > 64 || block.count() > max_threads)
        return "a block of " + dims_text(block) +
               " threads is too large: at most 1024 threads, 64 of them along z";
    if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
        return "a grid of " + dims_text(grid) + " blocks is too large: at most 2147483647×65535×65535";
    if (static_cast<double>(grid.x) * grid.y * grid.z > 4e9)
        return "a grid of " + dims_text(grid) + " blocks is too large for this engine";
    const trace::Dim3 &most = kernel.max_threads, &required = kernel.required_threads;
    if (most.x != 0 && block.count() > most.count())
        return "a block of " + dims_text(block) +
               " threads is larger than the kernel's __launch_bounds__ of " + std::to_string(most.count());
    if (required.x != 0 && block != required)
        return "the kernel requires blocks of " + dims_text(required) + " threads, not " + dims_text(block);
    return "";
}

std::string argument_error(const Kernel& kernel, const LaunchRequest& request) {
    const auto& parameters = kernel.info.parameters;
    if (parameters.size() != request.arguments.size())
        return "the kernel has " + std::to_string(parameters.size()) + " parameters, but " +
               std::to_string(request.arguments.size()) + " arguments are given";
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (request.arguments[i].size() != parameters[i].size_bytes())
            return "argument " + std::to_string(i + 1) + " has " +
                   std::to_string(request.arguments[i].size()) + " bytes, but the parameter has " +
                   std::to_string(parameters[i].size_bytes());
    return "";
}

std::string memory_error(const Program& program, const Kernel& kernel, const LaunchRequest& request) {
    const std::uint64_t fixed = kernel.info.static_shared_bytes;
    if (fixed > max_static_shared)
        return "the kernel declares " + std::to_string(fixed) +
               " bytes of shared memory; at most 49152 can be static";
    if (request.dynamic_shared_bytes > max_shared ||
        kernel.dynamic_offset + request.dynamic_shared_bytes > max_shared)
        return std::to_string(fixed) + " bytes of static and " +
               std::to_string(request.dynamic_shared_bytes) +
               " bytes of dynamic shared memory are more than the 232448 that a block can have";
    const std::uint64_t local = program.functions[kernel.function].local_bytes;
    if (local > max_local_bytes)
        return "each thread needs " + std::to_string(local) + " bytes of local memory; at most " +
               std::to_string(max_local_bytes) + " are possible";
    return "";
}

// The limits of compute capability 9.0 on resident blocks (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"). Registers are not counted: PTX does not say how many a kernel
// needs.
std::uint64_t blocks_per_multiprocessor(const trace::Dim3& block, std::uint64_t shared_bytes) {
    constexpr std::uint64_t blocks = 32, threads = 2048, shared = 228 << 10, reserved_per_block = 1 << 10;
    const std::uint64_t whole_warps = (block.count() + warp_size - 1) / warp_size * warp_size;
    return std::min({blocks, threads / whole_warps, shared / (shared_bytes + reserved_per_block)});
}

std::string cluster_error(const Kernel& kernel, const LaunchRequest& request) {
    const trace::Dim3 cluster = cluster_of(kernel, request), &grid = request.grid;
    const trace::Dim3& required = kernel.required_cluster;
    if (cluster.count() == 0) return "the cluster is empty: " + dims_text(cluster) + " blocks";
    if (cluster.count() > most_cluster_blocks)
        return "a cluster of " + dims_text(cluster) + " blocks is too large: at most " +
               std::to_string(most_cluster_blocks);
    if (required.count() != 0 && !(cluster == required))
        return "the kernel requires clusters of " + dims_text(required) + " blocks, not of " +
               dims_text(cluster);
    if (grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0) return "";
    return "a grid of " + dims_text(grid) + " blocks cannot be divided into clusters of " +
           dims_text(cluster);
}

std::string residency_error(const Kernel& kernel, const LaunchRequest& request) {
    if (!request.cooperative) return "";
    const std::uint64_t per_multiprocessor =
        blocks_per_multiprocessor(request.block, kernel.dynamic_offset + request.dynamic_shared_bytes);
    const std::uint64_t most = per_multiprocessor * multiprocessors;
    if (request.grid.count() <= most) return "";
    return "a cooperative launch needs all its " + std::to_string(request.grid.count()) +
           " blocks at once; at most " + std::to_string(most) + " of this size fit (" +
           std::to_string(per_multiprocessor) + " on each of " + std::to_string(multiprocessors) +
           " multiprocessors)";
}

}  // namespace

std::string shape_error(const Program& program, const Kernel& kernel, const LaunchRequest& request) {
    if (std::string text = size_error(kernel, request); !text.empty()) return text;
    if (std::string text = memory_error(program, kernel, request); !text.empty()) return text;
    return cluster_error(kernel, request);
}

std::string launch_error(const Program& program, const Kernel& kernel, const LaunchRequest& request) {
    if (std::string text = size_error(kernel, request); !text.empty()) return text;
    if (std::string text = argument_error(kernel, request); !text.empty()) return text;
    if (std::string text = shape_error(program, kernel, request); !text.empty()) return text;
    return residency_error(kernel, request);
}

}  // namespace lanescope::simt
