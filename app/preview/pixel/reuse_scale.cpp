#include "preview/pixel/reuse_scale.h"

#include <algorithm>

namespace lanescope::preview {

ReuseScale::ReuseScale(const std::vector<Reuse>& reuse) {
    shared = std::any_of(reuse.begin(), reuse.end(), [](const Reuse& pixel) { return pixel.shared > 0; });
    if (reuse.empty()) return;
    const auto [low, high] = std::minmax_element(
        reuse.begin(), reuse.end(), [&](const Reuse& a, const Reuse& b) { return reads(a) < reads(b); });
    min = reads(*low);
    max = reads(*high);
}

float ReuseScale::share(const Reuse& pixel) const {
    return max == 0 ? 0.0f : static_cast<float>(reads(pixel)) / static_cast<float>(max);
}

}  // namespace lanescope::preview
