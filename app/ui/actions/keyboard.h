// The keyboard turns key presses into actions.
#pragma once

#include <optional>
#include <span>

#include "ui/actions/action.h"

namespace lanescope::ui {

// A user who types without having clicked into a text must not start runs or fill inputs. Characters that
// follow each other within `burst_s` count as such typing, until a pause of `pause_s`: they start no action,
// and a notice says where to click. The first letter of a burst arrives before the second one. So an action
// that does more than change the view waits (`input_wait_s`, `run_wait_s`), and is dropped if another
// character follows. A key that is held down is not a burst.
class Keyboard {
  public:
    static constexpr double burst_s = 0.15, pause_s = 0.6, input_wait_s = 0.15, run_wait_s = 0.4;

    // Takes the key presses of a frame. `popup`: a list or a menu is open, which handles Esc itself.
    void take(std::span<const KeyPress> presses, const Place& place, bool popup, Requests& requests);
    // Returns whether a letter waits, so that another frame is needed.
    bool waits() const { return held_.has_value(); }
    // Another letter would now be taken for typing.
    bool takes_for_typing(double now_s) const { return now_s - last_s_ < (typing_ ? pause_s : burst_s); }

  private:
    struct Held {
        const Action* action;
        char32_t character;
        double since_s;
    };
    void hear_character(const KeyPress& press, const Place& place, Requests& requests);
    void hear(const KeyPress& press, const Place& place, Requests& requests);
    bool is_typing(char32_t character, double now_s);
    void release(const Place& place, Requests& requests);

    std::optional<Held> held_;
    char32_t last_ = 0;
    double last_s_ = -1e9;
    bool typing_ = false;
};

}  // namespace lanescope::ui
