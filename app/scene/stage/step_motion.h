// When the values of a step travel along its arrows: functions of time only, so that pictures of a motion can
// be repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace lanescope::scene {

constexpr double travel_s = 0.15;            // from a source cell to its destination
constexpr double motion_s = travel_s + 0.1;  // until the new value has replaced the old one
constexpr double fast_step_s = 1.0 / 6;      // steps that follow each other faster do not move anything
constexpr double no_motion = std::numeric_limits<double>::infinity();

// The share of the way that values have travelled, and how far the new values have faded in; 0 … 1. `age_s`:
// since the step was shown.
double travelled(double age_s);
double faded_in(double age_s);

// Decides when a motion begins: after exactly one step forward, or when the results of a step are revealed. A
// seek, a step back and fast stepping (a key that is held, fast playback) move nothing.
class StepMotion {
  public:
    struct Shown {
        std::uint64_t generation = ~0ull;  // of the run
        std::size_t steps = 0;             // of the run: other with another granularity or block
        std::size_t step = 0, instruction = 0;
        bool before = false;  // the state before the step
        bool operator==(const Shown&) const = default;
    };
    // What the view shows from now on. `wanted`: motion is not turned off.
    void show(const Shown& shown, double now_s, bool wanted);
    // Seconds since the motion began; no_motion when nothing moves.
    double age(double now_s) const;

  private:
    Shown shown_;
    double changed_s_ = -no_motion, begun_s_ = -no_motion;
};

}  // namespace lanescope::scene
