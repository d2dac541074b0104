// Adds memory requests to metrics. Requests of the texture unit are not counted: which sectors it needs
// depends on the layout of arrays, which is not known.
#pragma once

#include "analysis/metrics.h"
#include "trace/events.h"

namespace lanescope::analysis {

class RequestCounter {
  public:
    static void add(const trace::Access& access, const Work::Kind& kind, Metrics& to);
    // Takes the encoded access: neighbouring lanes with neighbouring bytes, or with the same bytes, are
    // counted together.
    void add(const trace::Event& access, const Work::Kind& kind, Metrics& to);

  private:
    trace::Access lanes_;
};

}  // namespace lanescope::analysis
