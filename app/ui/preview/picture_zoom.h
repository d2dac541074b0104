// The place of the preview's picture: fitted into the panel, or as the user moved and enlarged it.
#pragma once

#include "ui/preview/picture_pixels.h"

namespace lanescope::ui {

class PictureZoom {
  public:
    void fit() { fits_ = true; }  // takes effect in the next place_in()
    void place_in(const Rect& room, std::uint32_t width, std::uint32_t height);
    void move(float dx, float dy);                 // pixels of the screen
    void enlarge(float factor, float x, float y);  // (x, y) of the image stays in place
    const ImagePlace& place() const { return place_; }

  private:
    ImagePlace place_;
    float centre_x_ = 0, centre_y_ = 0;  // in pixels of the image
    bool fits_ = true;
};

}  // namespace lanescope::ui
