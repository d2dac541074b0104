// What the preview's picture shows of what the words beside it ask for.
#pragma once

namespace lanescope::ui {

struct PreviewModes {
    bool difference = false;  // on the right half
    bool reuse = false;       // the reuse map, instead of the products of one pixel
};

}  // namespace lanescope::ui
