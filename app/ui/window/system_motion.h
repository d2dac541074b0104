// Whether the user asked the system for less motion.
#pragma once

#include <string_view>

namespace lanescope::ui {

// LANESCOPE_MOTION (on or off) decides; then GNOME's setting enable-animations; then gtk-enable-animations in
// GTK's settings.ini. Without any of these: true.
bool system_wants_motion();

// What a settings.ini says; true if it says nothing. For tests.
bool animations_of_gtk(std::string_view settings_ini);

}  // namespace lanescope::ui
