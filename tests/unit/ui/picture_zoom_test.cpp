#include "ui/preview/picture_zoom.h"

#include <gtest/gtest.h>

namespace lanescope::ui {
namespace picture_zoom_test {

constexpr Rect room{10, 20, 400, 300};

TEST(PictureZoom, fits_until_it_is_moved) {
    PictureZoom zoom;
    zoom.place_in(room, 200, 100);
    EXPECT_EQ(zoom.place().scale, 2);
    EXPECT_EQ(zoom.place().origin.x, 10);
    EXPECT_EQ(zoom.place().origin.y, 70);
    zoom.move(30, -20);
    zoom.place_in(room, 200, 100);
    EXPECT_EQ(zoom.place().origin.x, 40);
    EXPECT_EQ(zoom.place().origin.y, 50);
    zoom.fit();
    zoom.place_in(room, 100, 100);
    EXPECT_EQ(zoom.place().scale, 3);
}

TEST(PictureZoom, what_is_under_the_mouse_stays_there) {
    PictureZoom zoom;
    zoom.place_in(room, 200, 100);
    const ImVec2 before = zoom.place().to_screen(50, 30);
    zoom.enlarge(4, 50, 30);
    zoom.place_in(room, 200, 100);
    EXPECT_EQ(zoom.place().scale, 8);
    EXPECT_NEAR(zoom.place().to_screen(50, 30).x, before.x, 1);
    EXPECT_NEAR(zoom.place().to_screen(50, 30).y, before.y, 1);
    zoom.enlarge(1e-6f, 50, 30);  // never smaller than the room or the pixels of the picture
    zoom.place_in(room, 200, 100);
    EXPECT_EQ(zoom.place().scale, 1);
    zoom.enlarge(1e6f, 50, 30);
    zoom.place_in(room, 200, 100);
    EXPECT_EQ(zoom.place().scale, 96);
}

TEST(ScreenPixels, average_what_is_smaller_than_a_pixel) {
    const image::Header header{2, 1, 1, 8};
    const Samples samples{0, 100};
    const std::vector<std::uint32_t> small = screen_pixels(header, samples, {{0, 0}, 0.5f}, {0, 0, 2, 1});
    EXPECT_EQ(small[0] & 255, 50u);
    EXPECT_EQ(small[1], 0u);  // beyond the image
    EXPECT_EQ(screen_pixels(header, samples, {{0, 0}, 1}, {1, 0, 1, 1})[0], IM_COL32(100, 100, 100, 255));
}

}  // namespace picture_zoom_test
}  // namespace lanescope::ui
