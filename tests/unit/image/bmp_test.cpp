#include "files.h"
#include "support.h"

namespace lanescope::image {
namespace bmp_test {

using Levels = std::vector<std::uint16_t>;

void put(std::string& bytes, std::size_t at, std::uint32_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        bytes[at + i] = static_cast<char>(value >> (8 * i));
}

// Returns a BMP file: a head of 40 bytes, `middle` (palette or masks), the rows.
std::string bmp(std::uint32_t width, std::int32_t height, std::uint32_t bits, const std::string& middle,
                const std::string& rows, std::uint32_t compression = 0) {
    std::string bytes(54, '\0');
    bytes.replace(0, 2, "BM");
    put(bytes, 10, static_cast<std::uint32_t>(54 + middle.size()), 4);
    put(bytes, 14, 40, 4);
    put(bytes, 18, width, 4);
    put(bytes, 22, static_cast<std::uint32_t>(height), 4);
    put(bytes, 26, 1, 2);
    put(bytes, 28, bits, 2);
    put(bytes, 30, compression, 4);
    return bytes + middle + rows;
}

std::string text(std::initializer_list<int> bytes) {
    std::string made;
    for (const int byte : bytes)
        made += static_cast<char>(byte);
    return made;
}

Image decoded(const std::string& file) {
    Result<Image> image = decode(file, "x.bmp");
    EXPECT_TRUE(image) << problem_of(image);
    return image ? std::move(*image) : Image{};
}

TEST(Bmp, rows_of_24_bits_stand_upside_down) {
    const std::string rows = text({1, 2, 3, 0, 4, 5, 6, 0});
    EXPECT_EQ(decoded(bmp(1, 2, 24, "", rows)).samples, (Levels{6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(decoded(bmp(1, -2, 24, "", rows)).samples, (Levels{3, 2, 1, 6, 5, 4}));
    EXPECT_EQ(describe(decoded(bmp(1, 2, 24, "", rows))), "1 × 2 · RGB 8 bit");
}

TEST(Bmp, palettes_of_every_size) {
    const std::string palette = text({0, 0, 10, 0, 0, 20, 0, 0});  // red 10, green 20
    const Levels wanted{0, 20, 0, 10, 0, 0};
    EXPECT_EQ(decoded(bmp(2, 1, 1, palette, text({0x80, 0, 0, 0}))).samples, wanted);
    EXPECT_EQ(decoded(bmp(2, 1, 4, palette, text({0x10, 0, 0, 0}))).samples, wanted);
    EXPECT_EQ(decoded(bmp(2, 1, 8, palette, text({1, 0, 0, 0}))).samples, wanted);
    EXPECT_EQ(decoded(bmp(1, 1, 8, palette, text({200, 0, 0, 0}))).samples, (Levels{0, 0, 0}));
}

TEST(Bmp, fields_of_16_and_32_bits) {
    const auto masks = [](std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
        std::string made(12, '\0');
        put(made, 0, red, 4);
        put(made, 4, green, 4);
        put(made, 8, blue, 4);
        return made;
    };
    EXPECT_EQ(decoded(bmp(1, 1, 16, "", text({0xff, 0x03, 0, 0}))).samples, (Levels{0, 255, 255}));
    EXPECT_EQ(decoded(bmp(1, 1, 16, masks(0xf800, 0x07e0, 0x1f), text({0, 0x08, 0, 0}), 3)).samples,
              (Levels{8, 0, 0}));
    EXPECT_EQ(decoded(bmp(1, 1, 32, masks(0xff, 0xff00, 0xff0000), text({1, 2, 3, 4}), 3)).samples,
              (Levels{1, 2, 3}));
    expect_problem(bmp(1, 1, 32, masks(0x101, 0, 0), text({1, 2, 3, 4}), 3), "non-contiguous");
}

TEST(Bmp, alpha_that_is_0_everywhere_is_not_meant) {
    EXPECT_EQ(decoded(bmp(2, 1, 32, "", text({1, 2, 3, 0, 4, 5, 6, 0}))).samples,
              (Levels{3, 2, 1, 255, 6, 5, 4, 255}));
    EXPECT_EQ(decoded(bmp(2, 1, 32, "", text({1, 2, 3, 0, 4, 5, 6, 9}))).samples,
              (Levels{3, 2, 1, 0, 6, 5, 4, 9}));
}

TEST(Bmp, seeds_of_the_fuzzer) {
    EXPECT_EQ(decoded(source_file("tests/fuzz/seeds/image/bits24.bmp")).channels, 3u);
    EXPECT_EQ(decoded(source_file("tests/fuzz/seeds/image/bits32.bmp")).bits, 8u);
    EXPECT_EQ(decoded(source_file("tests/fuzz/seeds/image/bits8.bmp")).channels, 3u);
}

TEST(Bmp, bad_files_are_named) {
    const std::string rows = text({1, 2, 3, 0, 4, 5, 6, 0});
    const std::string whole = bmp(1, 2, 24, "", rows);
    for (std::size_t length = 2; length < whole.size(); ++length)
        expect_problem(std::string_view(whole).substr(0, length), "cut off");
    expect_problem(bmp(1, 2, 8, "", rows, 1), "run-length");
    expect_problem(bmp(1, 2, 24, "", rows, 5), "compression 5");
    expect_problem(bmp(1, 2, 7, "", rows), "7 bits per pixel");
    expect_problem(bmp(0, 2, 24, "", rows), "no pixels");
    expect_problem(bmp(1, INT32_MIN, 24, "", rows), "2147483648");
    expect_problem(bmp(0x7fffffff, 1, 24, "", rows), "at most 8192");
    std::string far = whole;
    put(far, 10, 0xffffffff, 4);
    expect_problem(far, "cut off");
    std::string head = whole;
    put(head, 14, 41, 4);
    expect_problem(head, "header of 41 bytes");
}

}  // namespace bmp_test
}  // namespace lanescope::image
