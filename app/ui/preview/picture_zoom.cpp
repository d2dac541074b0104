#include "ui/preview/picture_zoom.h"

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

namespace {

constexpr float min_scale = 0.02f, max_scale = 96;

}  // namespace

void PictureZoom::place_in(const Rect& room, std::uint32_t image_width, std::uint32_t image_height) {
    const auto width = static_cast<float>(image_width), height = static_cast<float>(image_height);
    const float fitting = std::min(room.width / width, room.height / height);
    if (fits_) {
        place_.scale = std::min(fitting, max_scale);
        centre_x_ = width / 2;
        centre_y_ = height / 2;
    }
    place_.scale = std::clamp(place_.scale, std::min(fitting, 1.0f), max_scale);
    centre_x_ = std::clamp(centre_x_, 0.0f, width);
    centre_y_ = std::clamp(centre_y_, 0.0f, height);
    place_.origin = {std::round(room.x + room.width / 2 - centre_x_ * place_.scale),
                     std::round(room.y + room.height / 2 - centre_y_ * place_.scale)};
}

void PictureZoom::move(float dx, float dy) {
    fits_ = false;
    centre_x_ -= dx / place_.scale;
    centre_y_ -= dy / place_.scale;
}

void PictureZoom::enlarge(float factor, float x, float y) {
    fits_ = false;
    const float old = place_.scale;
    place_.scale = std::clamp(old * factor, min_scale, max_scale);
    centre_x_ = x - (x - centre_x_) * old / place_.scale;
    centre_y_ = y - (y - centre_y_) * old / place_.scale;
}

}  // namespace lanescope::ui
