// Compares two pictures of one size: prints the share of pixels that differ by more than the tolerance in a
// channel.
//   compare_images A B [--tolerance 16] [--diff OUT.png] [--half 1]     exit 0 whatever the share; 2 when
//   they cannot be
//                      compared; with --half 1 A is half as wide and high as B
//   compare_images --convert A OUT.png
//   compare_images --halve A OUT.png     half as wide and high, each pixel the mean of four
// Reads PNG and XWD, the format of Xvfb's framebuffer file.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "image/decode.h"
#include "image/encode.h"

namespace {

using lanescope::Result;
using lanescope::image::Image;

// Header of XWD version 7: 32-bit big-endian fields, of which these numbers are used.
enum XwdField {
    header_size = 0,
    file_version = 1,
    width = 4,
    height = 5,
    byte_order = 7,
    bits_per_pixel = 11,
    bytes_per_line = 12,
    colour_count = 19
};
constexpr std::size_t xwd_fields = 25;

std::uint32_t big_endian(const std::string& bytes, std::size_t field) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | std::uint8_t(bytes[field * 4 + i]);
    return value;
}

Result<Image> decode_xwd(const std::string& bytes, const std::string& name) {
    if (bytes.size() < xwd_fields * 4 || big_endian(bytes, file_version) != 7 ||
        big_endian(bytes, byte_order) != 0 || big_endian(bytes, bits_per_pixel) != 32)
        return lanescope::error(
            name + ": neither a PNG nor an XWD of 32 bits per pixel, least significant byte first");
    const std::size_t columns = big_endian(bytes, width), rows = big_endian(bytes, height);
    const std::size_t stride = big_endian(bytes, bytes_per_line);
    const std::size_t first =
        big_endian(bytes, header_size) + std::size_t{big_endian(bytes, colour_count)} * 12;
    if (columns > 1 << 15 || rows > 1 << 15 || stride < columns * 4 || first + stride * rows > bytes.size())
        return lanescope::error(name + ": the XWD is cut off");
    Image image{{std::uint32_t(columns), std::uint32_t(rows), 3, 8}, {}};
    image.samples.reserve(columns * rows * 3);
    for (std::size_t i = 0; i < columns * rows; ++i) {
        const char* bgrx = bytes.data() + first + i / columns * stride + i % columns * 4;
        for (std::size_t channel = 0; channel < 3; ++channel)
            image.samples.push_back(std::uint8_t(bgrx[2 - channel]));
    }
    return image;
}

Result<Image> read_image(const std::string& name) {
    const auto bytes = lanescope::read_file(name);
    if (!bytes) return bytes.diagnostics();
    if (!bytes->starts_with("\x89PNG")) return decode_xwd(*bytes, name);
    auto image = lanescope::image::decode(*bytes, name);
    if (!image) return image;
    return lanescope::image::with_channels(std::move(*image), 3);
}

std::vector<bool> differing_pixels(const Image& a, const Image& b, int tolerance) {
    std::vector<bool> differs(a.pixels());
    for (std::size_t i = 0; i < a.samples.size(); ++i)
        if (std::abs(int{a.samples[i]} - int{b.samples[i]}) > tolerance) differs[i / 3] = true;
    return differs;
}

// Left what is expected, in the middle what came, right the places that differ in red over the faded picture.
Image difference_picture(const Image& expected, const Image& got, const std::vector<bool>& differs) {
    const std::size_t columns = expected.width;
    Image picture{{expected.width * 3, expected.height, 3, 8},
                  std::vector<std::uint16_t>(expected.samples.size() * 3)};
    for (std::size_t i = 0; i < differs.size(); ++i) {
        std::uint16_t* out = picture.samples.data() + (i / columns * 3 * columns + i % columns) * 3;
        for (std::size_t channel = 0; channel < 3; ++channel) {
            const std::uint16_t value = got.samples[i * 3 + channel];
            out[channel] = expected.samples[i * 3 + channel];
            out[columns * 3 + channel] = value;
            out[columns * 6 + channel] =
                differs[i] ? (channel == 0 ? 255 : 0) : std::uint16_t(192 + value / 4);
        }
    }
    return picture;
}

int fail(const std::string& message) {
    std::cerr << message << '\n';
    return 2;
}

Result<void> save_drawing(const Image& image, const std::string& to) {
    return save_png(image, lanescope::image::Content::drawing, to);
}

int convert(const std::string& from, const std::string& to) {
    const auto image = read_image(from);
    if (!image) return fail(to_text(image.diagnostics()));
    const auto written = save_drawing(*image, to);
    return written ? 0 : fail(to_text(written.diagnostics()));
}

// Leaves out the last column or row of an odd size.
Image halved(const Image& image) {
    Image half{{image.width / 2, image.height / 2, 3, 8}, {}};
    const std::size_t stride = std::size_t{image.width} * 3;
    for (std::size_t y = 0; y < half.height; ++y)
        for (std::size_t x = 0; x < std::size_t{half.width} * 3; ++x) {
            const std::uint16_t* at = image.samples.data() + 2 * y * stride + x / 3 * 6 + x % 3;
            half.samples.push_back(std::uint16_t((at[0] + at[3] + at[stride] + at[stride + 3] + 2) / 4));
        }
    return half;
}

int halve(const std::string& from, const std::string& to) {
    const auto image = read_image(from);
    if (!image) return fail(to_text(image.diagnostics()));
    const auto written = save_drawing(halved(*image), to);
    return written ? 0 : fail(to_text(written.diagnostics()));
}

int compare(const std::string& expected_name, const std::string& got_name, int tolerance,
            const std::string& diff, bool half) {
    const auto expected = read_image(expected_name);
    auto got = read_image(got_name);
    if (!expected) return fail(to_text(expected.diagnostics()));
    if (!got) return fail(to_text(got.diagnostics()));
    if (half) got = halved(*got);
    if (expected->width != got->width || expected->height != got->height)
        return fail(got_name + ": " + std::to_string(got->width) + "x" + std::to_string(got->height) +
                    ", expected " + std::to_string(expected->width) + "x" + std::to_string(expected->height));
    const auto differs = differing_pixels(*expected, *got, tolerance);
    const auto count = std::count(differs.begin(), differs.end(), true);
    if (!diff.empty() && count > 0) {
        const auto written = save_drawing(difference_picture(*expected, *got, differs), diff);
        if (!written) return fail(to_text(written.diagnostics()));
    }
    std::printf("%.6f\n", differs.empty() ? 0.0 : double(count) / double(differs.size()));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "--convert") return convert(words[1], words[2]);
    if (words.size() == 3 && words[0] == "--halve") return halve(words[1], words[2]);
    const std::string usage =
        "usage: compare_images A B [--tolerance N] [--diff OUT.png] [--half 1] | --convert A OUT.png | "
        "--halve A OUT.png";
    if (words.size() < 2 || words.size() % 2 != 0) return fail(usage);
    int tolerance = 16;
    std::string diff;
    bool half = false;
    for (std::size_t i = 2; i < words.size(); i += 2) {
        const std::string& value = words[i + 1];
        if (words[i] == "--diff")
            diff = value;
        else if (words[i] == "--half")
            half = value == "1";
        else if (words[i] != "--tolerance" ||
                 std::from_chars(value.data(), value.data() + value.size(), tolerance).ec != std::errc())
            return fail(usage);
    }
    return compare(words[0], words[1], tolerance, diff, half);
}
