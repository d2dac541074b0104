#include "simt/program/describe_launch.h"

#include <algorithm>

namespace lanescope::simt {

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
    launch.recorded_blocks = request.recorded_blocks;
    std::sort(launch.recorded_blocks.begin(), launch.recorded_blocks.end());
    return launch;
}

}  // namespace lanescope::simt
