#include "analysis/layouts/layouts.h"

#include <algorithm>

namespace lanescope::analysis {

BlockLayouts layouts_of(const trace::Trace& trace, const Flow& flow, std::uint32_t launch,
                        std::uint32_t block, const std::atomic<bool>* cancelled) {
    BlockLayouts layouts;
    layouts.launch = launch;
    layouts.block = block;
    const InputRanges ranges(trace, flow);
    layouts.tiles = tiles_of(trace, flow, ranges, launch, block, {}, cancelled);
    layouts.owners = owners_of(trace, launch, block, cancelled);
    if (!flow.complete) layouts.incomplete = flow.incomplete;
    std::uint64_t elements = 0;
    for (const SharedTile& tile : layouts.tiles)
        elements += tile.elements.size() + tile.copies;
    if (elements > TileLimits{}.elements)
        layouts.incomplete = "only the first " + std::to_string(TileLimits{}.elements) +
                             " elements that the block copied were looked at";
    return layouts;
}

std::vector<TileKind> tile_kinds(const BlockLayouts& layouts) {
    std::vector<TileKind> kinds;
    for (std::size_t i = 0; i < layouts.tiles.size(); ++i) {
        const SharedTile& tile = layouts.tiles[i];
        const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const TileKind& kind) {
            const SharedTile& other = layouts.tiles[kind.first];
            return other.symbol == tile.symbol && other.source == tile.source && other.rows == tile.rows &&
                   other.columns == tile.columns && other.name.text == tile.name.text;
        });
        if (same == kinds.end())
            kinds.push_back({i, 1});
        else
            ++same->count;
    }
    return kinds;
}

std::string owner_words(const ArrayOwners& owners) {
    if (owners.per_thread == 0 || !owners.name.exact()) return {};
    std::string words = owners.patch_rows * owners.patch_columns > 1
                            ? std::to_string(owners.patch_rows) + "×" + std::to_string(owners.patch_columns) +
                                  " elements each"
                        : owners.per_thread == 1 ? std::string("one element each")
                                                 : std::to_string(owners.per_thread) + " elements each";
    if (!owners.name.shape.empty())
        words += std::string(owners.per_thread == 1 ? ", thread → element " : ", (thread, n-th) → element ") +
                 owners.name.shape + ":" + owners.name.stride;
    return words;
}

}  // namespace lanescope::analysis
