#include "analysis/cycles/sharing.h"

#include <algorithm>
#include <vector>

namespace lanescope::analysis {

void Sharing::touch(std::unordered_map<std::uint32_t, std::uint32_t>& owners, std::uint32_t sector,
                    std::uint32_t block) {
    const auto [found, added] = owners.try_emplace(sector, block);
    if (!added && found->second != block) found->second = several;
}

Sharing::Sharing(const LaunchStreams& streams, const LaunchContext& context) {
    const auto piece_sectors = static_cast<std::uint32_t>(context.device.dram_bytes / 32);
    std::vector<std::uint32_t> pieces;  // of DRAM, that one block reads
    double pieces_of_all = 0;
    const bool several_blocks = streams.blocks.size() > 1;  // else they share nothing
    for (const BlockStream& block : streams.blocks) {
        pieces.clear();
        for (const std::vector<StreamEntry>& warp : block.warps)
            for (const StreamEntry& entry : warp) {
                if (entry.request == no_request) continue;
                const MemoryRequest& request = streams.requests[entry.request];
                for (std::uint32_t i = 0; i < request.sectors; ++i) {
                    const std::uint32_t sector = streams.sectors[request.first + i];
                    if (several_blocks && request.kind != trace::AccessKind::load)
                        touch(writer_, sector, block.block);
                    if (request.kind == trace::AccessKind::store) continue;
                    if (several_blocks) touch(owner_, sector, block.block);
                    if (pieces.empty() || pieces.back() != sector / piece_sectors)
                        pieces.push_back(sector / piece_sectors);
                }
            }
        std::sort(pieces.begin(), pieces.end());
        pieces_of_all += static_cast<double>(std::unique(pieces.begin(), pieces.end()) - pieces.begin());
    }
    const double asked = pieces_of_all /
                         static_cast<double>(std::max<std::size_t>(1, streams.blocks.size())) * context.grid *
                         context.device.dram_bytes;
    const double touched = std::min(context.read_bytes, asked);
    fresh_ = asked > 0 ? touched / asked : 1;
    if (!context.cold && touched + context.written_bytes < context.device.l2_bytes) fresh_ = 0;
}

}  // namespace lanescope::analysis
