// Makes the names of namespace scene visible to the views, which draw scenes.
#pragma once

namespace lanescope::scene {}

namespace lanescope::ui {

using namespace scene;

}  // namespace lanescope::ui
