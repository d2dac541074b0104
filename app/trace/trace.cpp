#include "trace/trace.h"

#include <algorithm>

#include "trace/events.h"

namespace lanescope::trace {

const char* to_text(ProblemKind kind) {
    switch (kind) {
        case ProblemKind::race:
            return "race";
        case ProblemKind::unsynced_lanes:
            return "unsynced_lanes";
        case ProblemKind::out_of_bounds:
            return "out_of_bounds";
        case ProblemKind::misaligned:
            return "misaligned";
        case ProblemKind::uninitialised:
            return "uninitialised";
        case ProblemKind::barrier_divergence:
            return "barrier_divergence";
        case ProblemKind::deadlock:
            return "deadlock";
        case ProblemKind::step_limit:
            return "step_limit";
        case ProblemKind::timeout:
            return "timeout";
        case ProblemKind::trap:
            return "trap";
        case ProblemKind::launch_config:
            return "launch_config";
        case ProblemKind::unsupported:
            return "unsupported";
        case ProblemKind::addition_order:
            return "addition_order";
    }
    return "";
}

std::string kind_words(ProblemKind kind) {
    std::string words = to_text(kind);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string size_text(const Dim3& size) {
    std::string text = std::to_string(size.x);
    if (size.y > 1 || size.z > 1) text += "×" + std::to_string(size.y);
    if (size.z > 1) text += "×" + std::to_string(size.z);
    return text;
}

bool Launch::records(std::uint32_t block_index) const {
    if (recorded_blocks.empty()) return block_index < grid.count();
    return std::binary_search(recorded_blocks.begin(), recorded_blocks.end(), block_index);
}

std::uint32_t Launch::cluster_of(std::uint32_t block_index) const {
    const std::uint32_t x = block_index % grid.x / cluster.x, y = block_index / grid.x % grid.y / cluster.y,
                        z = block_index / grid.x / grid.y / cluster.z;
    return x + grid.x / cluster.x * (y + grid.y / cluster.y * z);
}

std::uint32_t Launch::rank_in_cluster(std::uint32_t block_index) const {
    const std::uint32_t x = block_index % grid.x % cluster.x, y = block_index / grid.x % grid.y % cluster.y,
                        z = block_index / grid.x / grid.y % cluster.z;
    return x + cluster.x * (y + cluster.y * z);
}

std::vector<std::uint32_t> Launch::blocks_of_cluster(std::uint32_t cluster_number) const {
    const std::uint32_t along_x = grid.x / cluster.x, along_y = grid.y / cluster.y;
    const std::uint32_t x = cluster_number % along_x * cluster.x,
                        y = cluster_number / along_x % along_y * cluster.y,
                        z = cluster_number / along_x / along_y * cluster.z;
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t k = z; k < z + cluster.z; ++k)
        for (std::uint32_t j = y; j < y + cluster.y; ++j)
            for (std::uint32_t i = x; i < x + cluster.x; ++i)
                blocks.push_back(i + grid.x * (j + grid.y * k));
    return blocks;
}

std::uint32_t Trace::launch_of(std::uint64_t turn) const {
    const auto after =
        std::upper_bound(launches.begin(), launches.end(), turn,
                         [](std::uint64_t at, const Launch& launch) { return at < launch.end_turn; });
    if (after != launches.end()) return static_cast<std::uint32_t>(after - launches.begin());
    return launches.empty() ? 0 : static_cast<std::uint32_t>(launches.size() - 1);
}

std::uint64_t Trace::size_bytes() const {
    const std::uint64_t stream = events == nullptr ? 0 : events->bytes.size() + events->snapshot_bytes;
    return turns.size() * sizeof(Turn) + stream;
}

}  // namespace lanescope::trace
