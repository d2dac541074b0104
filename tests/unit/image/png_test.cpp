// PNG files of every kind, in both directions.
#include <filesystem>

#include "files.h"
#include "image/encode.h"
#include "noise.h"
#include "support.h"

namespace lanescope::image {
namespace png_test {

using Levels = std::vector<std::uint16_t>;

Image decoded(const std::string& file) {
    Result<Image> image = decode(file, "x.png");
    EXPECT_TRUE(image) << problem_of(image);
    const Result<Header> header = read_header(file, "x.png");
    EXPECT_TRUE(header) << problem_of(header);
    if (!image || !header) return {};
    EXPECT_EQ(static_cast<const Header&>(*image), *header);
    return std::move(*image);
}

TEST(Png, every_kind_goes_there_and_back) {
    for (const Content content : {Content::photo, Content::drawing})
        for (const std::uint32_t bits : {8u, 16u})
            for (const std::uint32_t channels : {1u, 2u, 3u, 4u})
                for (const auto& [width, height] : {std::pair{1u, 1u}, {1u, 17u}, {37u, 5u}}) {
                    const Image image = noise_image(width, height, channels, bits);
                    const Result<std::string> file = encode_png(image, content);
                    ASSERT_TRUE(file) << problem_of(file);
                    const Image read = decoded(*file);
                    if (content == Content::drawing && width * height == 1)
                        continue;  // one pixel may be opaque and lose its alpha
                    EXPECT_EQ(static_cast<const Header&>(read), static_cast<const Header&>(image));
                    EXPECT_EQ(read.samples, image.samples);
                }
}

TEST(Png, samples_of_few_bits_are_spread) {
    PngKind kind;
    kind.width = 4;
    kind.bits = 1;
    EXPECT_EQ(decoded(png_file(kind, {0b0110'0000})).samples, (Levels{0, 255, 255, 0}));
    kind.bits = 2;
    EXPECT_EQ(decoded(png_file(kind, {0b00'01'10'11})).samples, (Levels{0, 85, 170, 255}));
    kind.bits = 4;
    EXPECT_EQ(decoded(png_file(kind, {0x01, 0x7f})).samples, (Levels{0, 17, 119, 255}));
    EXPECT_EQ(describe(*read_header(png_file(kind, {0x01, 0x7f}), "")), "4 × 1 · grey 8 bit");
}

TEST(Png, sixteen_bits_are_kept) {
    PngKind kind;
    kind.bits = 16;
    const Image image = decoded(png_file(kind, {0x12, 0x34}));
    EXPECT_EQ(image.bits, 16u);
    EXPECT_EQ(image.samples, Levels{0x1234});
}

TEST(Png, a_palette_becomes_rgb) {
    PngKind kind;
    kind.width = 3;
    kind.bits = 2;
    kind.colours = PNG_COLOR_TYPE_PALETTE;
    kind.palette = {{255, 0, 0}, {1, 2, 3}, {9, 8, 7}};
    const Image image = decoded(png_file(kind, {0b01'00'10'00}));
    EXPECT_EQ(image.channels, 3u);
    EXPECT_EQ(image.samples, (Levels{1, 2, 3, 255, 0, 0, 9, 8, 7}));
}

TEST(Png, transparent_colours_become_alpha) {
    PngKind kind;
    kind.width = 2;
    kind.colours = PNG_COLOR_TYPE_PALETTE;
    kind.palette = {{255, 0, 0}, {1, 2, 3}};
    kind.palette_alpha = {0, 128};
    EXPECT_EQ(decoded(png_file(kind, {1, 0})).samples, (Levels{1, 2, 3, 128, 255, 0, 0, 0}));
    kind = {.width = 2};
    png_color_16 grey = {};
    grey.gray = 7;
    kind.transparent = {grey};
    const Image image = decoded(png_file(kind, {7, 8}));
    EXPECT_EQ(image.channels, 2u);
    EXPECT_EQ(image.samples, (Levels{7, 0, 8, 255}));
    kind.colours = PNG_COLOR_TYPE_RGB;
    grey.red = 1, grey.green = 2, grey.blue = 3;
    kind.transparent = {grey};
    EXPECT_EQ(decoded(png_file(kind, {1, 2, 3, 1, 2, 4})).samples, (Levels{1, 2, 3, 0, 1, 2, 4, 255}));
}

TEST(Png, interlaced_pictures_are_put_together) {
    for (const int bits : {8, 16}) {
        const Image wanted = noise_image(13, 11, 1, static_cast<std::uint32_t>(bits));
        Bytes rows;
        for (const std::uint16_t sample : wanted.samples) {
            if (bits == 16) rows.push_back(static_cast<std::uint8_t>(sample >> 8));
            rows.push_back(static_cast<std::uint8_t>(sample));
        }
        PngKind kind{13, 11, bits, PNG_COLOR_TYPE_GRAY, true};
        EXPECT_EQ(decoded(png_file(kind, rows)).samples, wanted.samples);
    }
}

TEST(Png, samples_that_ship) {
    EXPECT_EQ(describe(*read_header(source_file("assets/images/harbour.png"), "")), "1024 × 832 · RGB 8 bit");
    EXPECT_EQ(describe(*read_header(source_file("assets/images/chart16.png"), "")),
              "256 × 256 · grey 16 bit");
    EXPECT_EQ(decoded(source_file("assets/images/chart.png")).at(255, 0, 0), 255);
}

TEST(Png, bad_cut_off_files_are_refused_at_every_length) {
    const std::string whole = source_file("assets/images/noise.png");
    for (const std::size_t length :
         {8ul, 20ul, 40ul, 1000ul, whole.size() - 30, whole.size() - 8, whole.size() - 1})
        expect_problem(std::string_view(whole).substr(0, length), "cut off");
    EXPECT_FALSE(decode(std::string_view(whole).substr(0, 5), "x"));
}

TEST(Png, bad_checksum_is_refused) {
    std::string file = source_file("assets/images/noise.png");
    char& checksum = file[file.size() - 13];  // the chunk IEND has 12 bytes
    checksum = static_cast<char>(checksum ^ 1);
    expect_problem(file, "CRC error");
    file[file.size() / 2] = static_cast<char>(file[file.size() / 2] ^ 1);
    expect_problem(file, "the file is damaged");
}

// A reader that trusts the length of the chunk would allocate too much memory.
TEST(Png, bad_chunk_lengths_are_refused) {
    expect_problem(source_file("tests/fuzz/findings/image/chunk_length.png"), "cut off");
}

TEST(Png, bad_sizes_are_refused_by_the_head) {
    std::string file = source_file("assets/images/chart.png");
    const auto with_size = [&](std::string_view size) {
        file.replace(16, 4, size);
        file.replace(20, 4, size);
        return file;
    };
    expect_problem(with_size({"\x00\x01\x86\xa0", 4}), "100000 × 100000");
    expect_problem(with_size({"\x00\x00\x20\x01", 4}), "8193 × 8193");
    expect_problem(with_size({"\xff\xff\xff\xff", 4}), "at most 8192 × 8192");
    expect_problem(with_size({"\0\0\0\0", 4}), "no pixels");
}

// A few bytes that announce 8192 × 8192 pixels must not allocate memory for them.
TEST(Png, bad_small_files_of_large_pictures_are_refused) {
    PngKind kind{8192, 8192, 1};
    const std::string file = png_file(kind, Bytes(8192 / 8 * 8192));
    EXPECT_EQ(decoded(file).samples.size(), std::size_t{8192} * 8192);
    std::string head = file.substr(0, 200);
    expect_problem(head, "cut off");
}

TEST(Png, drawings_lose_an_opaque_alpha_channel) {
    Image image{{2, 1, 4, 8}, {255, 0, 0, 255, 0, 255, 0, 255}};
    const auto channels = [](const Image& of, Content content) {
        return decoded(*encode_png(of, content)).channels;
    };
    EXPECT_EQ(channels(image, Content::drawing), 3u);
    EXPECT_EQ(channels(image, Content::photo), 4u);
    image.samples[7] = 254;
    EXPECT_EQ(channels(image, Content::drawing), 4u);
}

TEST(Png, bad_pictures_and_places_are_not_written) {
    EXPECT_FALSE(encode_png({}, Content::photo));
    EXPECT_FALSE(encode_png({{2, 2, 4, 8}, {1, 2, 3}}, Content::drawing));
    const Image dot{{1, 1, 1, 8}, {7}};
    const auto folder = std::filesystem::path(testing::TempDir());
    EXPECT_NE(problem_of(save_png({}, Content::photo, folder / "none.png")).find("none.png"),
              std::string::npos);
    EXPECT_FALSE(save_png(dot, Content::photo, folder / "missing_folder" / "a.png"));
    const auto path = folder / "lanescope_dot.png";
    ASSERT_TRUE(save_png(dot, Content::photo, path));
    EXPECT_EQ(load(path)->samples, Levels{7});
    std::filesystem::remove(path);
    EXPECT_FALSE(load(path));
}

}  // namespace png_test
}  // namespace lanescope::image
