// Explains one pixel of the result, under the mouse or pinned, by a trace of the block that made it, which is
// recorded on demand.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/jobs.h"
#include "preview/pixel/block_recorder.h"
#include "preview/pixel/block_samples.h"

namespace lanescope::preview {

struct PixelFacts {
    std::uint32_t x = 0, y = 0;
    std::uint32_t block_x = 0, block_y = 0, block = 0;
    bool known = false;            // the following comes from the block's trace
    std::uint32_t thread = 0;      // the thread that makes the pixel; linear in the block
    Box tile, read;                // in pixels of the plane, which are the image's plus the margin
    std::uint32_t neighbours = 0;  // cells under the mask that lie in the plane
    std::uint64_t loads = 0;       // of these cells by the block, and by how many threads
    std::uint32_t loaders = 0;
    std::uint64_t own_loads = 0;  // by the thread that makes the pixel
    std::vector<Reuse> reuse;     // of the pixels that the block loads
};

class PixelInspector {
  public:
    // Sets another image, of which nothing is known yet, and chooses a pixel right of its middle. 0 × 0: no
    // image.
    void set_image(std::uint32_t width, std::uint32_t height);
    // Sets a finished run of this image, with the blocks that were recorded to count its loads. Without a
    // block no pixel is explained.
    void set_run(std::shared_ptr<const Run> run, std::vector<BlockSample> recorded);

    void hover(std::uint32_t x, std::uint32_t y);  // chooses the pixel, unless one is pinned
    void pin(std::uint32_t x, std::uint32_t y);
    void unpin() { pinned_ = false; }
    bool pinned() const { return pinned_; }

    const PixelFacts& pixel() const { return pixel_; }
    // The threads of the pixel's block that load this pixel of the image, in the order of the trace.
    std::vector<std::uint32_t> loaders_of(std::uint32_t x, std::uint32_t y) const;

    bool recording() const { return jobs_.busy("pixel"); }
    bool update() { return jobs_.poll(); }  // true when something changed
    void wait();                            // until the pixel's block is recorded

  private:
    void choose(std::uint32_t x, std::uint32_t y);
    void explain();
    bool find_block();
    void record_block();
    const BlockSample* sample_of(std::uint32_t block) const;
    void describe(const BlockSample& sample);
    void count_loads_under_mask(const BlockSample& sample);

    std::uint32_t width_ = 0, height_ = 0;
    std::shared_ptr<const Run> run_;
    std::vector<BlockSample> recorded_;        // with the run
    BlockSamples samples_;                     // recorded since
    std::shared_ptr<BlockRecorder> recorder_;  // of run_
    PixelFacts pixel_;
    bool pinned_ = false;

    Jobs jobs_;  // last, so that a running job ends before the members that its completion changes
};

}  // namespace lanescope::preview
