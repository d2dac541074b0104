#include "scene/stage/step_motion.h"

#include <algorithm>

namespace lanescope::scene {

namespace {

// Slow at both ends.
double eased(double share) {
    const double t = std::clamp(share, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

}  // namespace

double travelled(double age_s) {
    return eased(age_s / travel_s);
}

double faded_in(double age_s) {
    return std::clamp((age_s - travel_s) / (motion_s - travel_s), 0.0, 1.0);
}

void StepMotion::show(const Shown& shown, double now_s, bool wanted) {
    if (shown == shown_) return;
    const bool same_run = shown.generation == shown_.generation && shown.steps == shown_.steps &&
                          shown.instruction == 0 && shown_.instruction == 0;
    const bool forward = shown.step == shown_.step + 1;
    const bool revealed = shown.step == shown_.step && shown_.before;
    const bool fast = now_s - changed_s_ < fast_step_s;
    const bool begins = wanted && same_run && !shown.before && (forward || revealed) && !fast;
    begun_s_ = begins ? now_s : -no_motion;
    changed_s_ = now_s;
    shown_ = shown;
}

double StepMotion::age(double now_s) const {
    const double age = now_s - begun_s_;
    return age < motion_s ? std::max(age, 0.0) : no_motion;
}

}  // namespace lanescope::scene
