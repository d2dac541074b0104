#include "preview/pixel/pixel_inspector.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace lanescope::preview {

namespace {

// The block along one axis that makes the pixel `at`, given one block whose tile begins at `first`.
std::uint32_t block_along(std::uint32_t at, std::uint32_t first, std::uint32_t size, std::uint32_t block,
                          std::uint32_t blocks) {
    const std::int64_t distance = std::int64_t{at} - first;
    const std::int64_t moved = distance >= 0 ? distance / size : -((-distance + size - 1) / size);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(block + moved, 0, std::int64_t{blocks} - 1));
}

}  // namespace

void PixelInspector::set_image(std::uint32_t width, std::uint32_t height) {
    width_ = width;
    height_ = height;
    run_.reset();
    recorded_.clear();
    samples_.clear();
    recorder_.reset();
    pixel_ = {};
    pixel_.x = width * 3 / 5;
    pixel_.y = height / 2;
    pinned_ = false;
}

void PixelInspector::set_run(std::shared_ptr<const Run> run, std::vector<BlockSample> recorded) {
    run_ = std::move(run);
    recorded_ = std::move(recorded);
    recorder_ = std::make_shared<BlockRecorder>(run_);
    samples_.clear();
    explain();
}

void PixelInspector::hover(std::uint32_t x, std::uint32_t y) {
    if (!pinned_) choose(x, y);
}

void PixelInspector::pin(std::uint32_t x, std::uint32_t y) {
    choose(x, y);
    pinned_ = width_ > 0;
}

void PixelInspector::choose(std::uint32_t x, std::uint32_t y) {
    if (width_ == 0 || height_ == 0) return;
    x = std::min(x, width_ - 1);
    y = std::min(y, height_ - 1);
    if (pixel_.x == x && pixel_.y == y) return;
    pixel_.x = x;
    pixel_.y = y;
    explain();
}

const BlockSample* PixelInspector::sample_of(std::uint32_t block) const {
    if (const BlockSample* sample = samples_.find(block)) return sample;
    const auto found = std::find_if(recorded_.begin(), recorded_.end(),
                                    [&](const BlockSample& sample) { return sample.block == block; });
    return found == recorded_.end() ? nullptr : &*found;
}

std::vector<std::uint32_t> PixelInspector::loaders_of(std::uint32_t x, std::uint32_t y) const {
    std::vector<std::uint32_t> threads;
    const BlockSample* sample = pixel_.known && run_ ? sample_of(pixel_.block) : nullptr;
    if (sample == nullptr) return threads;
    for (const PixelAccess& load : sample->loads)
        if (load.x == x + run_->margin() && load.y == y + run_->margin()) threads.push_back(load.thread);
    return threads;
}

// A recorded tile tells which block made the pixel; the trace of that block tells the rest.
void PixelInspector::explain() {
    pixel_.known = false;
    if (!find_block()) return;
    if (const BlockSample* sample = sample_of(pixel_.block))
        describe(*sample);
    else
        record_block();
}

bool PixelInspector::find_block() {
    if (!run_ || recorded_.empty()) return false;
    const BlockSample& seen = recorded_.front();
    const trace::Dim3 grid = run_->grid();
    if (seen.tile.width() == 0 || seen.tile.height() == 0 || grid.z != 1) return false;
    pixel_.block_x = block_along(pixel_.x + run_->margin(), seen.tile.left, seen.tile.width(),
                                 seen.block % grid.x, grid.x);
    pixel_.block_y = block_along(pixel_.y + run_->margin(), seen.tile.top, seen.tile.height(),
                                 seen.block / grid.x, grid.y);
    pixel_.block = pixel_.block_y * grid.x + pixel_.block_x;
    return true;
}

void PixelInspector::record_block() {
    jobs_.start("pixel",
                [this, recorder = recorder_, block = pixel_.block](JobContext& context) -> Jobs::Completion {
                    Result<BlockSample> recorded = recorder->sample(block, &context.cancel_flag());
                    if (!recorded) return {};
                    auto sample = std::make_shared<BlockSample>(std::move(*recorded));
                    return [this, sample, recorder] {
                        if (recorder != recorder_) return;
                        samples_.add(std::move(*sample));
                        if (const BlockSample* of_pixel = sample_of(pixel_.block)) describe(*of_pixel);
                    };
                });
}

void PixelInspector::describe(const BlockSample& sample) {
    const std::uint32_t x = pixel_.x + run_->margin(), y = pixel_.y + run_->margin();
    pixel_.tile = sample.tile;
    pixel_.read = sample.read;
    pixel_.reuse = sample.reuse;
    const auto store =
        std::find_if(sample.stores.begin(), sample.stores.end(),
                     [&](const PixelAccess& access) { return access.x == x && access.y == y; });
    pixel_.known = store != sample.stores.end();
    if (!pixel_.known) return;
    pixel_.thread = store->thread;
    count_loads_under_mask(sample);
}

void PixelInspector::count_loads_under_mask(const BlockSample& sample) {
    const std::uint32_t x = pixel_.x + run_->margin(), y = pixel_.y + run_->margin();
    const Mask& mask = run_->request().filter.masks.front();
    const std::int64_t down = mask.rows / 2, across = mask.columns / 2;
    std::set<std::uint32_t> threads;
    std::set<std::pair<std::uint32_t, std::uint32_t>> cells;
    pixel_.loads = pixel_.own_loads = 0;
    for (const PixelAccess& load : sample.loads) {
        if (std::abs(std::int64_t{load.x} - x) > across || std::abs(std::int64_t{load.y} - y) > down)
            continue;
        ++pixel_.loads;
        if (load.thread == pixel_.thread) ++pixel_.own_loads;
        threads.insert(load.thread);
        cells.insert({load.x, load.y});
    }
    pixel_.loaders = static_cast<std::uint32_t>(threads.size());
    pixel_.neighbours = static_cast<std::uint32_t>(cells.size());
}

void PixelInspector::wait() {
    jobs_.wait("pixel");
    (void)update();
}

}  // namespace lanescope::preview
