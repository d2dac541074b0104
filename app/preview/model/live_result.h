// The levels of the newest run as far as they are there: a run on another thread fills them while they are
// drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "preview/run/run.h"

namespace lanescope::preview {

class LiveResult {
  public:
    using Samples = std::vector<std::uint16_t>;  // height × width × channels

    // All of them at once. Rows of a run that began before are not taken any more.
    void set(Samples samples);
    // The number of the run whose rows are taken from now on.
    std::uint64_t begin_run();
    // Pixels of these rows of the run's result that are complete; in portions, so that nothing waits long.
    // Nothing of a run that another one has replaced.
    void take_rows(const Run& run, std::uint64_t number, std::uint32_t first, std::uint32_t end);

    bool take_changed();  // true once after samples changed
    void with_samples(const std::function<void(const Samples&)>& use) const;

  private:
    mutable std::mutex mutex_;
    Samples samples_;
    std::uint64_t newest_ = 0;
    bool changed_ = false;
};

}  // namespace lanescope::preview
