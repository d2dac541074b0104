// Traces of single blocks of a finished filter, one after the other, as the mouse asks for them.
#pragma once

#include <memory>
#include <mutex>

#include "preview/run/run.h"

namespace lanescope::preview {

// The image goes to the machine once, with the first block; each further one costs that block alone.
class BlockRecorder {
  public:
    explicit BlockRecorder(std::shared_ptr<const Run> run) : run_(std::move(run)) {}

    // What the block loads and stores, of the first channel and mask. May be called on any thread, one waits
    // for the other. Errors: "cancelled"; no memory; a trace that does not fit; a block that leaves no trace.
    Result<BlockSample> sample(std::uint32_t block, const std::atomic<bool>* cancel);

  private:
    std::shared_ptr<const Run> run_;
    std::mutex mutex_;
    std::unique_ptr<CpuPass> pass_;
};

}  // namespace lanescope::preview
