// A run of the kernel file with the image as its contents that records one block, to be stepped through.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/jobs.h"
#include "base/result.h"
#include "preview/run/run.h"

namespace lanescope::session {
struct RunResult;
}

namespace lanescope::preview {

class BlockStepping {
  public:
    BlockStepping();
    ~BlockStepping();

    void start(std::shared_ptr<const Run> run, std::uint32_t block);
    bool busy() const { return jobs_.busy("step"); }
    bool update() { return jobs_.poll(); }
    void wait();

    using Outcome = Result<std::unique_ptr<session::RunResult>>;
    std::optional<Outcome> take();                  // once, when it has ended
    std::uint32_t block() const { return block_; }  // that was recorded

  private:
    std::uint32_t block_ = 0;
    std::optional<Outcome> outcome_;

    Jobs jobs_;  // last: a running job ends before what its completion changes
};

}  // namespace lanescope::preview
