// The levels of the newest run as far as they are computed: a run on another thread fills them while they are
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

    // Sets all levels at once. Rows of a run that began before are no longer taken.
    void set(Samples samples);
    // Returns the number of a run; only its rows are taken from now on.
    std::uint64_t begin_run();
    // Takes the complete pixels of these rows of the run's result, in portions, so that no thread waits long.
    // Ignores a run that another one has replaced.
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
