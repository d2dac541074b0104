// Animated GIFs: giflib reads back every picture as it was written.
#include "image/gif.h"

#include <gif_lib.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "image/palette.h"

namespace lanescope::image {
namespace gif_test {

namespace fs = std::filesystem;

fs::path scratch(const std::string& name) {
    return fs::temp_directory_path() / ("lanescope-gif-" + std::to_string(getpid()) + "-" + name);
}

Image blank(int width, int height) {
    return {{std::uint32_t(width), std::uint32_t(height), 4, 8},
            std::vector<std::uint16_t>(std::size_t(width * height) * 4, 255)};
}

Image picture(int width, int height, std::uint32_t seed, std::size_t colours) {
    Image image = blank(width, height);
    for (std::size_t i = 0; i < image.pixels(); ++i) {
        const auto colour = std::uint32_t(((i * 2654435761u + seed) >> 7) % colours) * 40503u;
        for (std::size_t c = 0; c < 3; ++c)
            image.samples[4 * i + c] = std::uint8_t(colour >> (8 * c) & 255);
    }
    return image;
}

struct Read {
    std::vector<Image> pictures;
    std::vector<int> delays_ms;
    bool loops = false;
};

// Composes the pictures as a viewer does: each over the one before.
Read read_gif(const fs::path& path) {
    Read read;
    int code = 0;
    GifFileType* file = DGifOpenFileName(path.c_str(), &code);
    EXPECT_NE(file, nullptr);
    EXPECT_EQ(DGifSlurp(file), GIF_OK);
    Image canvas = blank(file->SWidth, file->SHeight);
    for (int i = 0; i < file->ImageCount; ++i) {
        const SavedImage& saved = file->SavedImages[i];
        GraphicsControlBlock control{};
        EXPECT_EQ(DGifSavedExtensionToGCB(file, i, &control), GIF_OK);
        for (int e = 0; e < saved.ExtensionBlockCount; ++e)
            read.loops |= saved.ExtensionBlocks[e].Function == APPLICATION_EXT_FUNC_CODE;
        const GifImageDesc& area = saved.ImageDesc;
        for (int y = 0; y < area.Height; ++y)
            for (int x = 0; x < area.Width; ++x) {
                const int index = saved.RasterBits[y * area.Width + x];
                if (index == control.TransparentColor) continue;
                const GifColorType colour = area.ColorMap->Colors[index];
                std::uint16_t* at =
                    &canvas.samples[std::size_t((area.Top + y) * file->SWidth + area.Left + x) * 4];
                at[0] = colour.Red, at[1] = colour.Green, at[2] = colour.Blue;
            }
        read.pictures.push_back(canvas);
        read.delays_ms.push_back(control.DelayTime * 10);
    }
    DGifCloseFile(file, &code);
    return read;
}

int worst_difference(const Image& a, const Image& b) {
    int worst = 0;
    for (std::size_t i = 0; i < a.samples.size(); ++i)
        worst = std::max(worst, std::abs(int(a.samples[i]) - int(b.samples[i])));
    return worst;
}

TEST(Gif, few_colours_come_back_exactly) {
    const fs::path path = scratch("exact.gif");
    std::vector<Image> pictures = {picture(61, 40, 1, 200), picture(61, 40, 2, 255), picture(61, 40, 2, 255)};
    pictures[2].samples[4 * 500] ^= 0x40;  // one pixel differs from the picture before
    Result<GifWriter> gif = GifWriter::create(path, 61, 40);
    ASSERT_TRUE(gif);
    for (const Image& each : pictures)
        ASSERT_TRUE(gif->add(each, 120));
    ASSERT_TRUE(gif->add(pictures[2], 500));  // an unchanged picture
    ASSERT_TRUE(gif->finish());
    const Read read = read_gif(path);
    ASSERT_EQ(read.pictures.size(), 4u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(worst_difference(pictures[i], read.pictures[i]), 0) << i;
    EXPECT_EQ(worst_difference(pictures[2], read.pictures[3]), 0);
    EXPECT_EQ(read.delays_ms, (std::vector<int>{120, 120, 120, 500}));
    EXPECT_TRUE(read.loops);
    fs::remove(path);
}

TEST(Gif, many_colours_come_back_nearly) {
    const fs::path path = scratch("many.gif");
    Image smooth = blank(256, 64);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 256; ++x) {
            std::uint16_t* at = &smooth.samples[std::size_t(y * 256 + x) * 4];
            at[0] = std::uint8_t(x), at[1] = std::uint8_t(x / 2 + y), at[2] = std::uint8_t(y * 4);
        }
    Result<GifWriter> gif = GifWriter::create(path, 256, 64);
    ASSERT_TRUE(gif);
    ASSERT_TRUE(gif->add(smooth, 100));
    ASSERT_TRUE(gif->finish());
    EXPECT_LE(worst_difference(smooth, read_gif(path).pictures.at(0)), 20);  // 255 colours replace 16,384
    fs::remove(path);
}

TEST(Gif, what_is_not_finished_leaves_nothing) {
    const fs::path path = scratch("left.gif");
    {
        Result<GifWriter> gif = GifWriter::create(path, 8, 8);
        ASSERT_TRUE(gif);
        ASSERT_TRUE(gif->add(picture(8, 8, 1, 5), 100));
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_FALSE(fs::exists(path.string() + ".part"));
}

TEST(Gif, bad_sizes_and_places) {
    EXPECT_FALSE(GifWriter::create("/nowhere/at/all.gif", 8, 8));
    EXPECT_FALSE(GifWriter::create(scratch("large.gif"), 70000, 8));
    const fs::path path = scratch("other.gif");
    Result<GifWriter> gif = GifWriter::create(path, 8, 8);
    ASSERT_TRUE(gif);
    EXPECT_FALSE(gif->add(picture(9, 8, 1, 5), 100));
    EXPECT_FALSE(gif->add(with_channels(picture(8, 8, 1, 5), 1), 100));
}

TEST(Palette, rare_colours_far_from_others_survive) {
    std::vector<std::uint32_t> pixels;
    for (std::uint32_t i = 0; i < 20000; ++i)
        pixels.push_back(0x202020u + i % 16 * 0x010101u + i % 31 * 0x000100u);
    pixels.push_back(0xff0000);
    const Palette palette(pixels, 16);
    ASSERT_LE(palette.colours().size(), 16u);
    EXPECT_EQ(palette.colours()[palette.nearest(0xff0000)], (Rgb{255, 0, 0}));
}

}  // namespace gif_test
}  // namespace lanescope::image
