// The flow of values of the run that the stage shows, and the inputs that its cells came from. Jobs prepare
// both.
#pragma once

#include <memory>
#include <utility>

#include "base/jobs.h"
#include "scene/stage/cell_origins.h"
#include "session/session.h"

namespace lanescope::scene {

class StageFlow {
  public:
    explicit StageFlow(Jobs& jobs) : jobs_(jobs) {}
    void begin(const execution::RunResult& run, bool wait);  // another run
    // Whether the flow became known since the last call.
    bool take_arrived() { return std::exchange(arrived_, false); }
    // Call this in each frame. Returns whether the origins or their use changed. A picture waits for the
    // origins; the window only where they take no time.
    bool update(CellColour colour, bool wait);
    bool preparing() const { return jobs_.busy(flow_job) || jobs_.busy(origin_job); }

    const analysis::Flow* values() const { return values_.get(); }                  // null: not known
    const std::shared_ptr<const OriginIndex>& origins() const { return origins_; }  // the same
    bool shows_origins() const { return shows_origins_; }  // the colour of each cell is its origin

  private:
    static constexpr const char* flow_job = "flow";
    static constexpr const char* origin_job = "origins";
    Jobs& jobs_;
    std::shared_ptr<const trace::Trace> trace_;
    std::shared_ptr<const analysis::Flow> values_;
    std::shared_ptr<const OriginIndex> origins_;  // of values_
    bool only_copies_ = false, origins_asked_ = false, shows_origins_ = false;
    bool arrived_ = false, changed_ = false;
};

}  // namespace lanescope::scene
