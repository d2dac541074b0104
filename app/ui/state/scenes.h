// Views draw scenes: their names are known in the rooms of the window.
#pragma once

namespace lanescope::scene {}

namespace lanescope::ui {

using namespace scene;

}  // namespace lanescope::ui
