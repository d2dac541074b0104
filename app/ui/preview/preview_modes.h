// What the preview's picture shows, as chosen in the column beside it.
#pragma once

namespace lanescope::ui {

struct PreviewModes {
    bool difference = false;  // the right half shows the difference
    bool reuse = false;       // the reuse map replaces the products of one pixel
};

}  // namespace lanescope::ui
