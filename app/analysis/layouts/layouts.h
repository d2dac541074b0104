// All layouts that one block of a launch shows.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/layouts/accesses.h"
#include "analysis/layouts/fragments.h"
#include "analysis/layouts/owners.h"
#include "analysis/layouts/tiles.h"

namespace lanescope::analysis {

struct BlockLayouts {
    std::uint32_t launch = 0, block = 0;
    std::vector<SharedTile> tiles;  // by shared array, input and number
    std::vector<ArrayOwners> owners;
    std::string incomplete;  // why something may be missing, in words; empty: nothing is
};

// `flow` is of the trace.
BlockLayouts layouts_of(const trace::Trace& trace, const Flow& flow, std::uint32_t launch,
                        std::uint32_t block, const std::atomic<bool>* cancelled = nullptr);

// Tiles of one array and input whose elements stand alike: the same size and name, at any base.
struct TileKind {
    std::size_t first = 0;  // into BlockLayouts::tiles
    std::uint32_t count = 0;
};
std::vector<TileKind> tile_kinds(const BlockLayouts& layouts);

// "8×8 elements each, (thread, n-th) → element ((16,16),(8,8)):((8,1024),(1,128))"; empty: no rule.
std::string owner_words(const ArrayOwners& owners);

}  // namespace lanescope::analysis
