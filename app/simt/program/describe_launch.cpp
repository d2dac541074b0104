#include "simt/program/describe_launch.h"

#include <algorithm>

namespace lanescope::simt {

namespace {

// The blocks, and the others of their clusters, because those reach their shared memory.
std::vector<std::uint32_t> whole_clusters(const trace::Launch& launch,
                                          const std::vector<std::uint32_t>& blocks) {
    std::vector<std::uint32_t> whole = blocks;
    if (launch.cluster.count() > 1) {
        whole.clear();
        for (const std::uint32_t block : blocks)
            for (const std::uint32_t each : launch.blocks_of_cluster(launch.cluster_of(block)))
                whole.push_back(each);
    }
    std::sort(whole.begin(), whole.end());
    whole.erase(std::unique(whole.begin(), whole.end()), whole.end());
    return whole;
}

}  // namespace

trace::Dim3 cluster_of(const Kernel& kernel, const LaunchRequest& request) {
    if (request.cluster) return *request.cluster;
    return kernel.required_cluster.count() != 0 ? kernel.required_cluster : trace::Dim3{};
}

trace::Launch describe_launch(const Program& program, const Kernel& kernel, const LaunchRequest& request) {
    trace::Launch launch;
    launch.kernel = request.label.empty() ? kernel.info.name : request.label;
    launch.grid = request.grid;
    launch.block = request.block;
    const std::uint64_t dynamic = request.dynamic_shared_bytes;
    launch.shared_bytes = static_cast<std::uint32_t>(dynamic == 0 ? kernel.info.static_shared_bytes
                                                                  : kernel.dynamic_offset + dynamic);
    for (const Kernel::Placed& placed : kernel.shared) {
        const SharedSymbol& shared = program.shared[placed.symbol];
        trace::Symbol symbol = shared.description;
        symbol.offset = placed.offset;
        if (shared.dynamic) {
            symbol.size_bytes = dynamic;
            const std::uint32_t cell = program.description.types[symbol.element].size_bytes;
            symbol.extents = {cell == 0 ? symbol.size_bytes : symbol.size_bytes / cell};
        }
        launch.shared.push_back(std::move(symbol));
    }
    launch.cluster = cluster_of(kernel, request);
    launch.recorded_blocks = whole_clusters(launch, request.recorded_blocks);
    return launch;
}

}  // namespace lanescope::simt
