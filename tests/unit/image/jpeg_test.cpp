#include "files.h"
#include "support.h"

namespace lanescope::image {
namespace jpeg_test {

TEST(Jpeg, kinds_that_are_read) {
    for (const bool progressive : {false, true}) {
        const std::string grey = jpeg_file({16, 9, JCS_GRAYSCALE, JCS_GRAYSCALE, progressive}, {100});
        const Result<Image> image = decode(grey, "x.jpg");
        ASSERT_TRUE(image) << problem_of(image);
        EXPECT_EQ(describe(*image), "16 × 9 · grey 8 bit");
        EXPECT_EQ(image->samples, std::vector<std::uint16_t>(144, 100));
        for (const J_COLOR_SPACE stored : {JCS_YCbCr, JCS_RGB}) {
            const std::string colour = jpeg_file({17, 9, JCS_RGB, stored, progressive}, {200, 100, 50});
            const Result<Image> read = decode(colour, "x.jpg");
            ASSERT_TRUE(read) << problem_of(read);
            EXPECT_EQ(describe(*read), "17 × 9 · RGB 8 bit");
            EXPECT_EQ(*read_header(colour, "x.jpg"), static_cast<const Header&>(*read));
            for (const auto& [channel, level] : {std::pair{0u, 200}, {1u, 100}, {2u, 50}})
                EXPECT_NEAR(read->at(16, 8, channel), level, 2);
        }
    }
}

TEST(Jpeg, seeds_of_the_fuzzer_are_read_whole) {
    for (const auto& [name, channels] :
         {std::pair{"grey", 1u}, {"rgb420", 3u}, {"rgb444", 3u}, {"progressive", 3u}, {"one_row", 3u}}) {
        const std::string whole = source_file(std::string("tests/fuzz/seeds/image/") + name + ".jpg");
        const Result<Image> image = decode(whole, name);
        ASSERT_TRUE(image) << problem_of(image);
        EXPECT_EQ(image->channels, channels) << name;
        expect_problem(std::string_view(whole).substr(0, whole.size() - 2), "cut off");
    }
}

TEST(Jpeg, bad_colours_for_printing_are_named) {
    expect_problem(jpeg_file({8, 8, JCS_CMYK, JCS_CMYK}, {1, 2, 3, 4}), "CMYK");
    expect_problem(jpeg_file({8, 8, JCS_CMYK, JCS_YCCK}, {1, 2, 3, 4}), "convert it to RGB");
}

TEST(Jpeg, bad_huffman_tables_are_refused) {
    for (const char* name : {"huffman_counts.jpg", "huffman_counts_filled.jpg", "huffman_counts_behind.jpg",
                             "huffman_missing.jpg"})
        EXPECT_FALSE(decode(source_file(std::string("tests/fuzz/findings/image/") + name), name)) << name;
}

TEST(Jpeg, bad_cut_off_files_are_refused_at_every_length) {
    for (const bool progressive : {false, true}) {
        const std::string whole = jpeg_file({64, 64, JCS_RGB, JCS_YCbCr, progressive}, {9, 99, 199});
        for (std::size_t length = 2; length < whole.size(); length += 7)
            EXPECT_FALSE(decode(std::string_view(whole).substr(0, length), "x.jpg")) << length;
    }
}

TEST(Jpeg, bad_sizes_are_refused_by_the_head) {
    std::string file = jpeg_file({16, 16, JCS_GRAYSCALE, JCS_GRAYSCALE}, {100});
    const std::size_t frame = file.find("\xff\xc0");
    ASSERT_NE(frame, std::string::npos);
    file.replace(frame + 5, 4, std::string_view("\x1f\xff\x1f\xff", 4));
    expect_problem(file, "cut off");  // so few bytes cannot hold so many pixels
    file.replace(frame + 5, 4, std::string_view("\xff\x00\xff\x00", 4));
    expect_problem(file, "65280 × 65280");
    file.replace(frame + 5, 4, std::string_view("\0\0\0\0", 4));
    EXPECT_FALSE(decode(file, "x.jpg"));
}

}  // namespace jpeg_test
}  // namespace lanescope::image
