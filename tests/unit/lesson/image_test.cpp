// Buffers that are filled from an image file.
#include <filesystem>
#include <fstream>

#include "support.h"

namespace lanescope::lesson {
namespace image_test {

// 3 × 2 RGB pixels: red green blue / white grey black
const unsigned char png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0x12, 0x16, 0xf1,
    0x4d, 0x00, 0x00, 0x00, 0x16, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xc0,
    0x00, 0xc1, 0xff, 0xff, 0xff, 0x6f, 0x68, 0x68, 0x00, 0x32, 0x01, 0x4c, 0x4f, 0x07, 0x7b, 0xe6,
    0xa5, 0xef, 0x73, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

std::string_view bytes() {
    return {reinterpret_cast<const char*>(png), sizeof png};
}

class ImageFile : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::path(testing::TempDir()) / "lanescope_image_test";
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "a.png", std::ios::binary) << bytes();
        std::ofstream(folder_ / "broken.png", std::ios::binary) << bytes().substr(0, 40);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Result<Instance> with(const std::string& fields) const {
        const std::string file = (folder_ / "k.cu").string();
        const auto front =
            parse_front_matter(file_with("[buffers]\na = {" + fields + "}\n" + some_launch), file);
        if (!front) return front.diagnostics();
        return instantiate(*front, {}, file);
    }

    std::filesystem::path folder_;
};

TEST_F(ImageFile, fills_a_matrix) {
    const auto grey = with("type = \"uchar\", image = \"a.png\"");
    ASSERT_TRUE(grey) << problems_of(grey);
    EXPECT_EQ(grey->buffers[0].extents, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(numbers_in(grey->buffers[0])[3], 255);
    EXPECT_EQ(numbers_in(grey->buffers[0])[4], 128);
    const auto real = with("type = \"float4\", image = \"a.png\", shape = [2, 3]");
    ASSERT_TRUE(real) << problems_of(real);
    EXPECT_EQ(numbers_in(real->buffers[0])[0], 1.0);
    EXPECT_EQ(numbers_in(real->buffers[0])[1], 0.0);
}

TEST_F(ImageFile, bad_images_are_refused) {
    EXPECT_NE(problems_of(with("type = \"uchar\", image = \"missing.png\"")).find("image of 'a'"),
              std::string::npos);
    EXPECT_NE(problems_of(with("type = \"uchar\", image = \"broken.png\"")).find("cut off"),
              std::string::npos);
    EXPECT_NE(problems_of(with("type = \"uchar\", image = \".\"")), "no error");
    EXPECT_NE(problems_of(with("type = \"char\", image = \"a.png\"")).find("pixels do not fit into char"),
              std::string::npos);
    EXPECT_NE(
        problems_of(with("type = \"uchar\", image = \"a.png\", count = 7")).find("has 2 rows of 3 pixels"),
        std::string::npos);
}

}  // namespace image_test
}  // namespace lanescope::lesson
