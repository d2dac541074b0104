// PNG files (ISO/IEC 15948). stb_image_write has the compression, but writes samples of 8 bits only; the
// chunks around it are made here.
#include <array>
#include <cstdlib>
#include <memory>

#include "preview/image.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace lanescope::preview {

namespace {

void append_number(std::string& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift);
}

void append_chunk(std::string& file, std::string_view type, std::string_view data) {
    append_number(file, static_cast<std::uint32_t>(data.size()));
    std::string checked(type);
    checked += data;
    file += checked;
    append_number(file, stbiw__crc32(reinterpret_cast<unsigned char*>(checked.data()),
                                     static_cast<int>(checked.size())));
}

unsigned char paeth(int left, int above, int corner) {
    const int estimate = left + above - corner;
    const int to_left = std::abs(estimate - left), to_above = std::abs(estimate - above);
    const int to_corner = std::abs(estimate - corner);
    if (to_left <= to_above && to_left <= to_corner) return static_cast<unsigned char>(left);
    return static_cast<unsigned char>(to_above <= to_corner ? above : corner);
}

// Every row with the filter "Paeth" in front (section 9.2), high byte first.
std::vector<unsigned char> filtered_rows(const Image& image) {
    const std::size_t sample_bytes = image.bits / 8, pixel_bytes = image.channels * sample_bytes;
    const std::size_t row_samples = std::size_t{image.width} * image.channels,
                      row_bytes = row_samples * sample_bytes;
    std::vector<unsigned char> filtered, row(row_bytes), above(row_bytes, 0);
    filtered.reserve((row_bytes + 1) * image.height);
    for (std::uint32_t y = 0; y < image.height; ++y) {
        for (std::size_t i = 0; i < row_samples; ++i) {
            const std::uint16_t sample = image.samples[y * row_samples + i];
            if (sample_bytes == 2) row[2 * i] = static_cast<unsigned char>(sample >> 8);
            row[i * sample_bytes + sample_bytes - 1] = static_cast<unsigned char>(sample);
        }
        filtered.push_back(4);
        for (std::size_t i = 0; i < row_bytes; ++i) {
            const int left = i < pixel_bytes ? 0 : row[i - pixel_bytes];
            const int corner = i < pixel_bytes ? 0 : above[i - pixel_bytes];
            filtered.push_back(static_cast<unsigned char>(row[i] - paeth(left, above[i], corner)));
        }
        row.swap(above);
    }
    return filtered;
}

}  // namespace

Result<std::string> encode_png(const Image& image) {
    if (image.pixels() == 0 || image.channels < 1 || image.channels > 4 ||
        image.samples.size() != image.pixels() * image.channels)
        return error("an empty picture cannot be written");
    std::vector<unsigned char> rows = filtered_rows(image);
    int length = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> packed(
        stbi_zlib_compress(rows.data(), static_cast<int>(rows.size()), &length, 8), std::free);
    if (!packed) return error("the picture does not fit in memory");
    std::string head;
    append_number(head, image.width);
    append_number(head, image.height);
    constexpr std::array<char, 5> colour_types{0, 0, 4, 2, 6};
    head += static_cast<char>(image.bits);
    head += colour_types[image.channels];
    head += std::string(3, '\0');  // deflate, the five filters, not interlaced
    std::string file = "\x89PNG\r\n\x1a\n";
    append_chunk(file, "IHDR", head);
    append_chunk(file, "IDAT",
                 {reinterpret_cast<const char*>(packed.get()), static_cast<std::size_t>(length)});
    append_chunk(file, "IEND", {});
    return file;
}

}  // namespace lanescope::preview
