#include "session/playhead/playback.h"

namespace lanescope::session {

bool Playback::at_end() const {
    const StepState* now = playhead_.step_state();
    return now && now->index + 1 >= playhead_.steps().size() && !playhead_.results().concealed;
}

void Playback::play(bool wanted) {
    if (wanted && at_end()) playhead_.seek(0);
    playing_ = wanted && !playhead_.steps().empty();
    next_step_s_ = 0;
}

bool Playback::update(double now_s) {
    if (!playing_) return false;
    const double period_s = 1.0 / steps_per_second_;
    if (next_step_s_ == 0) next_step_s_ = now_s + period_s;
    if (now_s < next_step_s_) return false;
    // After a stall, go on from now instead of catching up in a burst.
    next_step_s_ += period_s;
    if (next_step_s_ < now_s) next_step_s_ = now_s + period_s;
    playhead_.step_by(1);
    if (at_end()) playing_ = false;
    return true;
}

}  // namespace lanescope::session
