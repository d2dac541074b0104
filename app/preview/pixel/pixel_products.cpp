#include "preview/pixel/pixel_products.h"

#include <algorithm>

namespace lanescope::preview {

const SampleParts* PixelProducts::of(const std::shared_ptr<const Run>& run, std::uint32_t x,
                                     std::uint32_t y) {
    if (!run) return nullptr;
    channel_ = std::min(channel_, run->filtered_channels() - 1);
    const bool same = parts_ && run_.lock() == run && x_ == x && y_ == y && parts_channel_ == channel_;
    if (same) return &*parts_;
    parts_ = sample_parts(*run, x, y, channel_);
    run_ = run;
    x_ = x;
    y_ = y;
    parts_channel_ = channel_;
    return &*parts_;
}

}  // namespace lanescope::preview
