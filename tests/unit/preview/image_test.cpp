#include "preview/image.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "pictures.h"

namespace lanescope::preview {
namespace {

std::string sample(const char* name) {
    return *read_file(std::string(LANESCOPE_SOURCE_DIR) + "/assets/images/" + name);
}

void put(std::string& bytes, std::size_t at, std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i)
        bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
}

std::string bitmap(std::uint32_t width, std::uint32_t height) {  // 24 bits a pixel, all grey 100
    const std::uint32_t row = (width * 3 + 3) / 4 * 4;
    std::string bytes(54 + row * height, static_cast<char>(100));
    bytes.replace(0, 2, "BM");
    std::fill(bytes.begin() + 2, bytes.begin() + 54, '\0');
    put(bytes, 10, 54, 4);
    put(bytes, 14, 40, 4);
    put(bytes, 18, width, 4);
    put(bytes, 22, height, 4);
    put(bytes, 26, 1, 2);
    put(bytes, 28, 24, 2);
    return bytes;
}

TEST(Image, PngsOfEveryKindGoThereAndBack) {
    for (const std::uint32_t bits : {8u, 16u})
        for (const std::uint32_t channels : {1u, 2u, 3u, 4u})
            for (const auto& [width, height] : {std::pair{1u, 1u}, {1u, 17u}, {37u, 5u}}) {
                const Image image = noise_image(width, height, channels, bits);
                const Result<std::string> file = encode_png(image);
                ASSERT_TRUE(file);
                const Result<Image> read = decode_image(*file, "x.png");
                ASSERT_TRUE(read) << to_text(read.diagnostics());
                EXPECT_EQ(static_cast<const ImageHeader&>(*read), static_cast<const ImageHeader&>(image));
                EXPECT_EQ(read->samples, image.samples);
            }
}

TEST(Image, SamplesThatShip) {
    EXPECT_EQ(describe(*image_header(sample("harbour.png"), "")), "1024 × 832 · RGB 8 bit");
    EXPECT_EQ(describe(*image_header(sample("chart16.png"), "")), "256 × 256 · grey 16 bit");
    EXPECT_EQ(decode_image(sample("chart.png"), "")->at(255, 0, 0), 255);
}

TEST(Image, Bitmaps) {
    const Result<Image> image = decode_image(bitmap(3, 2), "x.bmp");
    ASSERT_TRUE(image) << to_text(image.diagnostics());
    EXPECT_EQ(image->samples, std::vector<std::uint16_t>(18, 100));
    std::string cut = bitmap(3, 2);
    cut.resize(cut.size() - 5);
    EXPECT_NE(to_text(decode_image(cut, "x.bmp").diagnostics()).find("cut off"), std::string::npos);
}

TEST(Image, bad_files_say_what_is_wrong) {
    const std::string whole = sample("noise.png");
    EXPECT_FALSE(decode_image("", "x"));
    EXPECT_FALSE(decode_image("not an image", "x"));
    for (const std::size_t length : {8ul, 20ul, 40ul, 1000ul, whole.size() - 30, whole.size() - 8})
        EXPECT_FALSE(decode_image(std::string_view(whole).substr(0, length), "x")) << length;
    EXPECT_FALSE(load_image("/no/such/file.png"));
    EXPECT_FALSE(save_png(noise_image(2, 2, 1), "x.jpg"));
    EXPECT_FALSE(encode_png({}));
}

TEST(Image, Jpegs) {
    const std::string seeds = std::string(LANESCOPE_SOURCE_DIR) + "/tests/fuzz/seeds/image/";
    for (const auto& [name, channels] :
         {std::pair{"grey", 1u}, {"rgb420", 3u}, {"rgb444", 3u}, {"progressive", 3u}, {"cmyk", 3u}}) {
        const std::string whole = *read_file(seeds + name + ".jpg");
        const Result<Image> image = decode_image(whole, name);
        ASSERT_TRUE(image) << to_text(image.diagnostics());
        EXPECT_EQ(image->channels, channels) << name;
        EXPECT_FALSE(decode_image(std::string_view(whole).substr(0, whole.size() - 2), name)) << name;
    }
}

// The decoder would write behind its tables.
TEST(Image, bad_huffman_tables_are_refused) {
    const std::string findings = std::string(LANESCOPE_SOURCE_DIR) + "/tests/fuzz/findings/image/";
    for (const char* name : {"huffman_counts.jpg", "huffman_counts_filled.jpg", "huffman_counts_behind.jpg",
                             "huffman_missing.jpg"}) {
        const Result<Image> image = load_image(findings + name);
        ASSERT_FALSE(image);
        EXPECT_NE(to_text(image.diagnostics()).find("Huffman tables are wrong"), std::string::npos) << name;
    }
}

// As much memory as the chunk says would be taken before it is read.
TEST(Image, bad_chunk_lengths_are_refused) {
    const Result<Image> image =
        load_image(std::string(LANESCOPE_SOURCE_DIR) + "/tests/fuzz/findings/image/chunk_length.png");
    ASSERT_FALSE(image);
    EXPECT_NE(to_text(image.diagnostics()).find("cut off"), std::string::npos);
}

TEST(Image, bad_enormous_images_are_refused_by_their_head) {
    std::string file = sample("chart.png");
    for (std::size_t i = 0; i < 4; ++i)
        file[16 + i] = file[20 + i] = "\x00\x01\x86\xa0"[i];  // 100000
    const Result<Image> image = decode_image(file, "x.png");
    ASSERT_FALSE(image);
    EXPECT_NE(to_text(image.diagnostics()).find("100000 × 100000"), std::string::npos)
        << to_text(image.diagnostics());
    EXPECT_FALSE(decode_image(bitmap(3, 2).replace(18, 4, std::string("\xff\xff\xff\x7f")), "x.bmp"));
}

}  // namespace
}  // namespace lanescope::preview
