// Tests of all formats: channels, file names, refused formats.
#include "image/image.h"
#include "base/file_kind.h"

#include "support.h"

namespace lanescope::image {
namespace image_test {

using namespace std::string_literals;
using Levels = std::vector<std::uint16_t>;

TEST(Image, channels_are_added_and_taken_away) {
    const Image colour{{2, 1, 3, 8}, {255, 0, 0, 10, 20, 30}};
    EXPECT_EQ(with_channels(colour, 1).samples, (Levels{76, 18}));
    EXPECT_EQ(with_channels(colour, 2).samples, (Levels{76, 255, 18, 255}));
    EXPECT_EQ(with_channels(colour, 3).samples, colour.samples);
    EXPECT_EQ(with_channels(colour, 4).samples, (Levels{255, 0, 0, 255, 10, 20, 30, 255}));
    const Image deep{{1, 1, 2, 16}, {1000, 7}};
    EXPECT_EQ(with_channels(deep, 1).samples, Levels{1000});
    EXPECT_EQ(with_channels(deep, 4).samples, (Levels{1000, 1000, 1000, 7}));
    EXPECT_EQ(with_channels(with_channels(deep, 1), 2).samples, (Levels{1000, 65535}));
    EXPECT_EQ(with_channels(deep, 4).channels, 4u);
}

TEST(Image, bad_formats_are_refused_by_name) {
    expect_problem("GIF89a\1\0\1\0"s, "GIF");
    expect_problem("RIFF\0\0\0\0WEBPVP8 "s, "WebP");
    expect_problem("II*\0\0\0\0\0"s, "TIFF");
    expect_problem("P6\n1 1\n255\n\1\2\3"s, "PNM");
    expect_problem(
        "\0\0\0\x1c"
        "ftypavif"s,
        "AVIF");
    expect_problem("8BPS\0\1"s, "convert it to PNG, JPEG or BMP");
    expect_problem("", "not a PNG, JPEG or BMP image");
    expect_problem("This is not an image.", "not a PNG, JPEG or BMP image");
}

}  // namespace image_test
}  // namespace lanescope::image
