// Plays a run: steps forward at a speed.
#pragma once

#include <algorithm>

#include "session/playhead/playhead.h"

namespace lanescope::session {

class Playback {
  public:
    explicit Playback(Playhead& playhead) : playhead_(playhead) {}

    bool playing() const { return playing_; }
    float steps_per_second() const { return steps_per_second_; }
    void play(bool wanted);  // starts again from the end, as every player does
    void set_speed(float steps_per_second) { steps_per_second_ = std::clamp(steps_per_second, 0.1f, 100.0f); }
    // Steps when it is time. `now_s` is a monotonic clock. True: it stepped.
    bool update(double now_s);

  private:
    bool at_end() const;

    Playhead& playhead_;
    bool playing_ = false;
    float steps_per_second_ = 4;
    double next_step_s_ = 0;
};

}  // namespace lanescope::session
