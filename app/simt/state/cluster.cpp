#include "simt/state/cluster.h"

#include <algorithm>

#include "simt/memory/memory.h"
#include "simt/state/block.h"

namespace lanescope::simt {

namespace {

constexpr std::uint64_t offset_bits = (1ull << cluster_rank_shift) - 1;

std::uint64_t rank_bits(std::uint64_t address) {
    return (address - window::shared) >> cluster_rank_shift;
}

}  // namespace

bool Cluster::finished() const {
    return std::all_of(blocks.begin(), blocks.end(), [](const Block* block) { return block->finished(); });
}

bool Cluster::open_barrier() {
    bool arrived = false;
    for (const Block* block : blocks) {
        const Barrier& barrier = block->barriers[cluster_barrier];
        arrived = arrived || !barrier.idle();
        if (!barrier.complete(block->live()) && !block->finished()) return false;
    }
    if (!arrived) return false;
    for (Block* block : blocks)
        block->release_cluster_barrier();
    return true;
}

ClusterPlace place_in_cluster(const trace::Dim3& position, const trace::Dim3& cluster) {
    ClusterPlace place;
    place.cluster = {position.x / cluster.x, position.y / cluster.y, position.z / cluster.z};
    place.block = {position.x % cluster.x, position.y % cluster.y, position.z % cluster.z};
    place.rank = place.block.x + cluster.x * (place.block.y + cluster.y * place.block.z);
    return place;
}

std::uint64_t nth_block(std::uint64_t n, const trace::Dim3& grid, const trace::Dim3& cluster) {
    if (cluster.count() <= 1) return n;
    const std::uint64_t number = n / cluster.count(), rank = n % cluster.count();
    const std::uint64_t along_x = grid.x / cluster.x, along_y = grid.y / cluster.y;
    const std::uint64_t x = number % along_x * cluster.x + rank % cluster.x,
                        y = number / along_x % along_y * cluster.y + rank / cluster.x % cluster.y,
                        z = number / along_x / along_y * cluster.z + rank / cluster.x / cluster.y;
    return x + grid.x * (y + std::uint64_t{grid.y} * z);
}

bool is_mapped(std::uint64_t address) {
    constexpr std::uint64_t end = std::uint64_t{most_cluster_blocks + 1} << cluster_rank_shift;
    return address >= window::shared + (1ull << cluster_rank_shift) && address < window::shared + end;
}

SharedPlace shared_place(const Warp& warp, std::uint64_t address) {
    if (!is_mapped(address)) return {warp.block, address};
    const std::uint64_t rank = rank_bits(address) - 1;
    const Cluster* cluster = warp.block->cluster.get();
    Block* const block =
        cluster == nullptr || rank >= cluster->blocks.size() ? nullptr : cluster->blocks[rank];
    return {block, window::shared + ((address - window::shared) & offset_bits)};
}

}  // namespace lanescope::simt
