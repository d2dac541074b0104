// Fetches from textures, bit by bit against those of an H200: what tests/cudart/programs/textures.cu wrote
// there.
#include "simt/texture/sample.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::simt {
namespace texture_test {

using Kind = TexelFormat::Kind;

struct Recorded {
    std::string name;
    std::vector<std::array<float, 4>> at;
    std::vector<Texel> results;
};

std::vector<Recorded> recorded_cases() {
    std::ifstream file(LANESCOPE_TEXTURES, std::ios::binary);
    std::vector<Recorded> cases;
    std::array<std::uint32_t, 3> sizes{};  // of the name, in positions, of the results
    while (file.read(reinterpret_cast<char*>(sizes.data()), sizeof sizes)) {
        Recorded& made = cases.emplace_back();
        made.name.resize(sizes[0]);
        made.at.resize(sizes[1]);
        made.results.resize(sizes[2] / sizeof(Texel));
        file.read(made.name.data(), sizes[0]);
        file.read(reinterpret_cast<char*>(made.at.data()), static_cast<std::streamsize>(sizes[1] * 16));
        file.read(reinterpret_cast<char*>(made.results.data()), sizes[2]);
    }
    return cases;
}

// --- the numbers that the program puts into its arrays

struct Random {
    std::uint64_t state;
    std::uint32_t bits() {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>(state >> 32);
    }
    float unit() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }
};

std::uint32_t half_bits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const int exponent = static_cast<int>(bits >> 23 & 255) - 127 + 15;
    const bool zero = value == 0 || exponent <= 0;
    return (bits >> 16 & 0x8000) |
           (zero ? 0 : static_cast<std::uint32_t>(exponent) << 10 | (bits >> 13 & 1023));
}

enum Contents : int { mixed, wide, odd, impulses };

std::uint32_t float_element(Random& random, const TexelFormat& format, int contents, std::size_t i) {
    static constexpr std::uint32_t odd_floats[] = {0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                                   0x80000000, 0x7f7fffff, 0x00400000, 0x807fffff,
                                                   0x3f800000, 0xff7fffff, 0x00800000, 0};
    float number = contents == impulses ? static_cast<float>(i % 17 == 0) : random.unit() * 4 - 2;
    if (contents == wide) number = std::ldexp(number, static_cast<int>(random.bits() % 24) - 12);
    if (format.bits == 16) return half_bits(number);
    const auto bits = std::bit_cast<std::uint32_t>(number);
    return contents == odd ? odd_floats[bits % 12] : bits;
}

std::vector<std::byte> contents_of(const TexelFormat& format, std::size_t texels, int contents) {
    std::vector<std::byte> bytes(texels * format.bytes());
    Random random{static_cast<std::uint64_t>(format.bits * 8 + contents)};
    const std::size_t size = format.bits / 8u;
    for (std::size_t i = 0; i < bytes.size() / size; ++i) {
        std::uint32_t value = random.bits();
        if (format.kind == Kind::floating)
            value = float_element(random, format, contents, i);
        else if (contents == impulses)
            value = i % 17 != 0                           ? 0
                    : format.kind == Kind::signed_integer ? 0x7fffffffu >> (32 - format.bits)
                                                          : ~0u;
        std::memcpy(bytes.data() + i * size, &value, size);
    }
    return bytes;
}

// --- cases by their names

struct Case {
    std::string fetch, shape;
    Texture texture;
    int contents = mixed;
};

Addressing addressing_of(const std::string& word) {
    static const std::map<std::string, Addressing> known{{"wrap", Addressing::wrap},
                                                         {"clamp", Addressing::clamp},
                                                         {"mirror", Addressing::mirror},
                                                         {"border", Addressing::border}};
    return known.at(word);
}

void set_format(const std::string& word, TexelFormat& format) {
    format.kind = word[0] == 'f'   ? Kind::floating
                  : word[0] == 'u' ? Kind::unsigned_integer
                                   : Kind::signed_integer;
    const std::size_t cross = word.find('x');
    format.bits = static_cast<std::uint8_t>(std::stoi(word.substr(1, cross - 1)));
    format.channels = static_cast<std::uint8_t>(std::stoi(word.substr(cross + 1)));
}

void set_size(const std::string& shape, const std::string& word, Image& image) {
    static const std::map<std::string, Image::Shape> shapes{
        {"1d", Image::Shape::line},    {"2d", Image::Shape::plane},      {"3d", Image::Shape::solid},
        {"a1d", Image::Shape::line},   {"a2d", Image::Shape::plane},     {"cube", Image::Shape::cube},
        {"acube", Image::Shape::cube}, {"memory", Image::Shape::memory}, {"pitched", Image::Shape::plane}};
    image.shape = shapes.at(shape);
    image.layered = shape[0] == 'a';
    char cross = 0;
    std::istringstream(word) >> image.width >> cross >> image.height >> cross >> image.depth;
    image.row_bytes = std::uint64_t{image.width} * image.format.bytes();
    image.slice_bytes = image.row_bytes * image.height;
}

Case case_of(const std::string& name) {
    Case made;
    std::istringstream words(name);
    std::string format, size, modes, filter, word;
    words >> made.fetch >> made.shape >> format >> size >> modes >> filter;
    Texture& texture = made.texture;
    set_format(format, texture.image.format);
    set_size(made.shape, size, texture.image);
    std::istringstream each(modes);
    for (std::size_t k = 0; k < 3; ++k)
        texture.addressing[k] =
            std::getline(each, word, '/') ? addressing_of(word) : texture.addressing[k == 0 ? 0 : k - 1];
    texture.linear = filter == "linear";
    static const std::map<std::string, int> contents{
        {"mixed", mixed}, {"wide", wide}, {"odd", odd}, {"impulses", impulses}};
    while (words >> word) {
        texture.normalized = texture.normalized || word == "normalized";
        texture.as_float = texture.as_float || word == "as-float";
        if (word == "colour") texture.border = {0.3f, -0.7f, 1.5f, 300.0f};
        if (contents.contains(word)) made.contents = contents.at(word);
    }
    return made;
}

Texel fetched(const Case& which, const std::vector<std::byte>& bytes, const std::array<float, 4>& at) {
    FetchPosition position;
    position.at = {at[0], at[1], at[2]};
    position.by_element = which.fetch == "fetch";
    position.element[0] = position.by_element ? static_cast<std::int32_t>(at[0]) : 0;
    position.layer = static_cast<std::int32_t>(at[3]);
    const Texture& texture = which.texture;
    const bool gathers = which.fetch.starts_with("gather");
    const Taps taps = gathers ? gather_taps_of(texture, position) : taps_of(texture, position);
    std::array<Texel, 8> texels{};
    for (unsigned k = 0; k < taps.count; ++k)
        texels[k] = taps.at[k].inside
                        ? texel_of(texture.image.format, bytes.data() + address_of(texture.image, taps.at[k]))
                        : border_texel(texture);
    if (!gathers) return filtered(texture, taps, texels);
    Texel result{};
    for (unsigned k = 0; k < 4; ++k)
        result[k] = converted(texture, texels[k])[static_cast<unsigned>(which.fetch[6] - '0')];
    return result;
}

// --- known differences

bool is_cube_far_away(const Case& which, const std::array<float, 4>& at) {
    if (which.texture.image.shape != Image::Shape::cube) return false;
    for (unsigned k = 0; k < 3; ++k)
        if (!(std::fabs(at[k]) < 1e19f) || (at[k] != 0 && std::fabs(at[k]) < 1e-37f)) return true;
    return false;
}

// Sums of signed bytes may differ by one of 32767, those of three dimensions in the last bit.
bool differs_a_little(const Case& which, const Texel& ours, const Texel& theirs) {
    const TexelFormat& format = which.texture.image.format;
    const bool bytes = format.kind == Kind::signed_integer && format.bits == 8 && which.texture.as_float;
    const bool sums = which.contents == wide && which.texture.image.shape == Image::Shape::solid;
    if (!which.texture.linear || (!bytes && !sums)) return false;
    for (unsigned k = 0; k < 4; ++k) {
        const float a = std::bit_cast<float>(ours[k]), b = std::bit_cast<float>(theirs[k]);
        const float step = bytes ? 1.01f / 32767 : std::fabs(b) * (format.bits == 16 ? 0x1p-10f : 0x1p-22f);
        if (std::fabs(a - b) > step) return false;
    }
    return true;
}

TEST(Texture, fetches_what_an_H200_fetches) {
    const std::vector<Recorded> cases = recorded_cases();
    ASSERT_GT(cases.size(), 900u);
    std::size_t samples = 0, little = 0, far = 0;
    for (const Recorded& recorded : cases) {
        const Case which = case_of(recorded.name);
        const Image& image = which.texture.image;
        const std::vector<std::byte> bytes =
            contents_of(image.format, std::size_t{image.width} * image.height * image.depth, which.contents);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < recorded.at.size(); ++i, ++samples) {
            const Texel ours = fetched(which, bytes, recorded.at[i]);
            if (ours == recorded.results[i]) continue;
            if (is_cube_far_away(which, recorded.at[i]))
                ++far;
            else if (differs_a_little(which, ours, recorded.results[i]))
                ++little;
            else
                ++wrong;
        }
        EXPECT_EQ(wrong, 0u) << recorded.name << ", of " << recorded.at.size();
    }
    EXPECT_GT(samples, 100'000u);
    EXPECT_LT(little, samples / 300);
    EXPECT_LT(far, samples / 300);
    RecordProperty("samples", static_cast<int>(samples));
    RecordProperty("a_little_different", static_cast<int>(little));
    RecordProperty("far_cubes", static_cast<int>(far));
}

Texture row_of(std::array<float, 4>& elements, Addressing mode) {
    Texture texture;
    texture.image.shape = Image::Shape::line;
    texture.image.width = 4;
    texture.image.row_bytes = texture.image.slice_bytes = sizeof elements;
    texture.addressing.fill(mode);
    texture.normalized = true;
    return texture;
}

TEST(Texture, addresses_beyond_the_ends) {
    std::array<float, 4> row{10, 20, 30, 40};
    const auto element = [&](Addressing mode, float x) {
        const Texture texture = row_of(row, mode);
        const Taps taps = taps_of(texture, {.at = {x, 0, 0}});
        return taps.at[0].inside ? row[taps.at[0].x] : 0;
    };
    EXPECT_EQ(element(Addressing::clamp, -0.1f), 10);
    EXPECT_EQ(element(Addressing::clamp, 1.3f), 40);
    EXPECT_EQ(element(Addressing::wrap, -0.1f), 40);
    EXPECT_EQ(element(Addressing::wrap, 1.3f), 20);
    EXPECT_EQ(element(Addressing::mirror, -0.1f), 10);
    EXPECT_EQ(element(Addressing::mirror, 1.3f), 30);
    EXPECT_EQ(element(Addressing::border, -0.1f), 0);
}

TEST(Texture, weights_add_up_to_one) {
    Texture texture;
    texture.image.shape = Image::Shape::solid;
    texture.image.width = texture.image.height = texture.image.depth = 8;
    texture.linear = true;
    for (int i = 0; i < 1000; ++i) {
        const float x = 1.5f + static_cast<float>(i) * 0.0037f;
        std::uint32_t sum = 0;
        for (const Tap& tap : taps_of(texture, {.at = {x, x * 0.9f, x * 1.1f}}))
            sum += tap.weight;
        EXPECT_EQ(sum, 256u) << x;
    }
}

}  // namespace texture_test
}  // namespace lanescope::simt
