#include "preview/model/run_facts.h"

#include <algorithm>
#include <utility>

namespace lanescope::preview {

Result<RunFacts> facts_of(const Run& run, const std::atomic<bool>* cancel) {
    Result<Loads> loads = run.loads(cancel);
    if (!loads) return loads.diagnostics();
    RunFacts facts{std::move(*loads), run.difference(), run.missing(), run.problems(), {}, {}, 1};
    const image::Image& image = *run.request().image;
    double rounding = 0;
    for (const Mask& mask : run.request().filter.masks)
        rounding += run.fit().rounding(mask, image.max_level());
    facts.allowed_levels = 1 + static_cast<std::uint32_t>(std::min(rounding, double{image.max_level()}));
    const std::uint32_t colours = image.has_alpha() ? image.channels - 1 : image.channels;
    const unsigned shift = image.bits - 6;  // 2^6 bins
    for (std::size_t first = 0; first < image.samples.size(); first += image.channels)
        for (std::size_t i = first; i < first + colours; ++i) {
            ++facts.levels_before[image.samples[i] >> shift];
            ++facts.levels_after[run.result().samples[i] >> shift];
        }
    return facts;
}

}  // namespace lanescope::preview
