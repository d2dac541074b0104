// Records single blocks of a finished filter, one after the other, as the mouse asks for them.
#pragma once

#include <memory>
#include <mutex>

#include "preview/run/run.h"

namespace lanescope::preview {

// The image goes to the machine once, with the first block; each further block costs only its own run.
class BlockRecorder {
  public:
    explicit BlockRecorder(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

    // Returns what the block loads and stores for the first channel and mask. Any thread may call this; calls
    // wait for each other. Errors: "cancelled"; no memory; a trace that does not fit; a block that leaves no
    // trace.
    Result<BlockSample> sample(std::uint32_t block, const std::atomic<bool>* cancel);

  private:
    std::shared_ptr<const Run> run_;
    std::mutex mutex_;
    std::unique_ptr<CpuPass> pass_;
};

}  // namespace lanescope::preview
