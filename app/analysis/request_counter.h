// Adds memory requests to metrics.
#pragma once

#include "analysis/metrics.h"
#include "trace/events.h"

namespace lanescope::analysis {

class RequestCounter {
  public:
    static void add(const trace::Access& access, const Work::Kind& kind, Metrics& to);
    // As it is encoded: neighbouring lanes that touch neighbouring bytes, or all the same, need no look at
    // each lane.
    void add(const trace::Event& access, const Work::Kind& kind, Metrics& to);

  private:
    trace::Access lanes_;
};

}  // namespace lanescope::analysis
