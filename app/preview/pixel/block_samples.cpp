#include "preview/pixel/block_samples.h"

#include <algorithm>
#include <utility>

namespace lanescope::preview {

void BlockSamples::add(BlockSample sample) {
    kept_.push_back(std::move(sample));
    std::size_t accesses = 0, first = kept_.size();
    while (first > 0) {
        const BlockSample& older = kept_[first - 1];
        accesses += older.loads.size() + older.stores.size();
        if (accesses > max_accesses_ && first < kept_.size()) break;
        --first;
    }
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(first));
}

const BlockSample* BlockSamples::find(std::uint32_t block) const {
    const auto found = std::find_if(kept_.begin(), kept_.end(),
                                    [&](const BlockSample& sample) { return sample.block == block; });
    return found == kept_.end() ? nullptr : &*found;
}

}  // namespace lanescope::preview
