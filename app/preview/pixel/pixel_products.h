// The products of one pixel, computed again only when the run, the pixel or the channel changes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "preview/pixel/products.h"

namespace lanescope::preview {

class PixelProducts {
  public:
    void choose_channel(std::uint32_t channel) { channel_ = channel; }
    std::uint32_t channel() const { return channel_; }
    // The parts of the chosen channel, or of the run's last channel if the run has fewer. Null without a run.
    const SampleParts* of(const std::shared_ptr<const Run>& run, std::uint32_t x, std::uint32_t y);

  private:
    std::uint32_t channel_ = 0;
    std::optional<SampleParts> parts_;  // of the run, pixel and channel below
    std::weak_ptr<const Run> run_;
    std::uint32_t x_ = 0, y_ = 0, parts_channel_ = 0;
};

}  // namespace lanescope::preview
