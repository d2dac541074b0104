// The time that the launches of a machine take from their limit.
#pragma once

#include <chrono>

namespace lanescope::simt {

class RunClock {
  public:
    // Seconds since the first launch. Seconds in which a trace was recorded count twice, because the analysis
    // of the trace takes about as long. `recording`: whether a trace is recorded now.
    double spent_s(bool recording) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        if (recording) recorded_s_ = elapsed.count();
        return elapsed.count() + recorded_s_;
    }

    void begin_launch() { earlier_s_ = spent_s(false); }
    double earlier_s() const { return earlier_s_; }  // spent by the launches before this one

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double earlier_s_ = 0;
    double recorded_s_ = 0;  // from the start to the end of the recording
};

}  // namespace lanescope::simt
