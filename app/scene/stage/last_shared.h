// What the shared arrays of a block hold when its launch ends. The run does not keep that, so a job replays
// the launch to its end.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/jobs.h"
#include "scene/stage/stage_arrays.h"
#include "session/session.h"

namespace lanescope::scene {

class LastShared {
  public:
    struct Contents {  // of an array in one block: the shown one, or one whose copy stands beside it
        std::size_t array = 0;
        std::vector<std::byte> bytes;
        std::unique_ptr<bool[]> set;  // a flag for each byte that has a value
    };

    explicit LastShared(Jobs& jobs) : jobs_(jobs) {}
    // Call this in each frame. Returns whether contents have arrived. `another`: another block, launch or run
    // is shown. The launch is only replayed when its end is near.
    bool update(const session::Session& session, std::span<const StageArray> arrays, const trace::Step& place,
                bool another, bool wait);
    bool preparing() const { return jobs_.busy(job); }
    const std::vector<Contents>& contents() const { return contents_; }

  private:
    void start(const session::Session& session, std::span<const StageArray> arrays, const trace::Step& place,
               bool wait);

    static constexpr const char* job = "last shared";
    Jobs& jobs_;
    std::vector<Contents> contents_;
    bool asked_ = false;  // the job reads them, or has read them
    bool arrived_ = false;
};

}  // namespace lanescope::scene
