// Where the preview's picture stands: fitted, or as a person moved and enlarged it.
#pragma once

#include "ui/preview/picture_pixels.h"

namespace lanescope::ui {

class PictureZoom {
  public:
    void fit() { fits_ = true; }  // from the next place_in() on
    void place_in(const Rect& room, std::uint32_t width, std::uint32_t height);
    void move(float dx, float dy);                 // pixels of the screen
    void enlarge(float factor, float x, float y);  // what stands at this place of the image stays there
    const ImagePlace& place() const { return place_; }

  private:
    ImagePlace place_;
    float centre_x_ = 0, centre_y_ = 0;  // in pixels of the image
    bool fits_ = true;
};

}  // namespace lanescope::ui
