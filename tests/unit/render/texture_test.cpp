// Textures that are filled from the host and from a GPU buffer.
#include "render/texture.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "render/headless.h"

namespace lanescope::render {
namespace texture_test {

class TextureTest : public testing::Test {
  protected:
    void SetUp() override {
        auto context = HeadlessContext::create();
        if (!context) GTEST_SKIP() << "no OpenGL: " << to_text(context.diagnostics());
        context_ = std::make_unique<HeadlessContext>(std::move(*context));
    }
    static std::vector<std::uint32_t> level(const Texture& texture, int number, std::size_t pixels) {
        std::vector<std::uint32_t> read(pixels);
        glGetTextureImage(texture.name(), number, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(pixels * 4),
                          read.data());
        return read;
    }
    std::unique_ptr<HeadlessContext> context_;
};

TEST_F(TextureTest, from_the_host) {
    const std::vector<std::uint32_t> pixels{0xFF000001, 0xFF000200, 0xFF030000, 0xFF040404, 5, 6};
    Texture texture;
    ASSERT_TRUE(texture.set(3, 2, pixels));
    EXPECT_EQ(level(texture, 0, 6), pixels);
    const Result<image::Image> read = read_texture(texture.name());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->width, 3u);
    EXPECT_EQ(read->height, 2u);
    EXPECT_EQ(read->samples[2 * 4 + 2], 3);  // the third pixel's blue
    EXPECT_FALSE(texture.set(3, 3, pixels));
}

TEST_F(TextureTest, from_a_buffer_and_averaged) {
    // Each quarter has four equal pixels, so the next smaller level is known.
    std::vector<std::uint32_t> pixels(16);
    for (std::size_t i = 0; i < 16; ++i)
        pixels[i] = i % 4 < 2 ? (i < 8 ? 0xFF102030 : 0xFF405060) : (i < 8 ? 0xFF708090 : 0xFFA0B0C0);
    const auto buffer = Buffer::create(64, "pixels", std::as_bytes(std::span(pixels)));
    ASSERT_TRUE(buffer);
    Texture texture;
    ASSERT_TRUE(texture.copy_from(*buffer, 4, 4));
    EXPECT_EQ(level(texture, 0, 16), pixels);
    texture.average();
    EXPECT_EQ(level(texture, 1, 4),
              (std::vector<std::uint32_t>{0xFF102030, 0xFF708090, 0xFF405060, 0xFFA0B0C0}));
    EXPECT_FALSE(texture.copy_from(*buffer, 5, 4));
    ASSERT_TRUE(texture.set(1, 1, std::vector<std::uint32_t>{7}));
    EXPECT_EQ(level(texture, 0, 1).front(), 7u);
}

}  // namespace texture_test
}  // namespace lanescope::render
