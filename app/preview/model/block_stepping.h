// Runs the kernel file with the image as its contents and records one block, to step through it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/jobs.h"
#include "base/result.h"
#include "preview/run/run.h"

namespace lanescope::execution {
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

    using Outcome = Result<std::unique_ptr<execution::RunResult>>;
    std::optional<Outcome> take();                  // once, when the run has ended
    std::uint32_t block() const { return block_; }  // that was recorded

  private:
    std::uint32_t block_ = 0;
    std::optional<Outcome> outcome_;

    Jobs jobs_;  // last, so that a running job ends before the members that its completion changes
};

}  // namespace lanescope::preview
