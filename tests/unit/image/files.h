// Makes image files for tests: PNG and JPEG of every kind, written by their libraries.
#pragma once

#include <cstdio>  // jpeglib.h needs it

#include <jpeglib.h>
#include <png.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/files.h"

namespace lanescope::image {

using Bytes = std::vector<std::uint8_t>;

struct PngKind {
    std::uint32_t width = 1, height = 1;
    int bits = 8, colours = PNG_COLOR_TYPE_GRAY;
    bool interlaced = false;
    std::vector<png_color> palette = {};
    Bytes palette_alpha = {};
    std::vector<png_color_16> transparent = {};  // at most one transparent colour
};

// Returns a PNG file. `rows` holds the rows one after the other; samples of fewer than 8 bits are packed.
inline std::string png_file(const PngKind& kind, Bytes rows) {
    std::string file;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &file,
        [](png_structp to, png_bytep bytes, std::size_t count) {
            static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<char*>(bytes), count);
        },
        [](png_structp) {});
    png_set_IHDR(png, info, kind.width, kind.height, kind.bits, kind.colours,
                 kind.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!kind.palette.empty())
        png_set_PLTE(png, info, kind.palette.data(), static_cast<int>(kind.palette.size()));
    if (!kind.palette_alpha.empty())
        png_set_tRNS(png, info, kind.palette_alpha.data(), static_cast<int>(kind.palette_alpha.size()),
                     nullptr);
    if (!kind.transparent.empty()) png_set_tRNS(png, info, nullptr, 0, kind.transparent.data());
    png_set_gAMA(png, info, 1.0);  // must have no effect
    png_write_info(png, info);
    std::vector<png_bytep> starts;
    for (std::uint32_t y = 0; y < kind.height; ++y)
        starts.push_back(rows.data() + rows.size() / kind.height * y);
    png_write_image(png, starts.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return file;
}

struct JpegKind {
    std::uint32_t width = 16, height = 16;
    J_COLOR_SPACE given = JCS_RGB, stored = JCS_YCbCr;
    bool progressive = false;
};

inline std::string jpeg_file(const JpegKind& kind, const std::array<std::uint8_t, 4>& colour) {
    jpeg_compress_struct info = {};
    jpeg_error_mgr errors = {};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* bytes = nullptr;
    unsigned long count = 0;
    jpeg_mem_dest(&info, &bytes, &count);
    info.image_width = kind.width, info.image_height = kind.height;
    info.in_color_space = kind.given;
    info.input_components = kind.given == JCS_GRAYSCALE ? 1 : kind.given == JCS_CMYK ? 4 : 3;
    jpeg_set_defaults(&info);
    jpeg_set_colorspace(&info, kind.stored);
    jpeg_set_quality(&info, 100, TRUE);
    if (kind.progressive) jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    Bytes row;
    for (std::uint32_t x = 0; x < kind.width; ++x)
        row.insert(row.end(), colour.begin(), colour.begin() + info.input_components);
    JSAMPROW start = row.data();
    while (info.next_scanline < info.image_height)
        jpeg_write_scanlines(&info, &start, 1);
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    std::string file(reinterpret_cast<char*>(bytes), count);
    std::free(bytes);
    return file;
}

inline std::string source_file(const std::string& path) {
    return *read_file(std::string(LANESCOPE_SOURCE_DIR) + "/" + path);
}

}  // namespace lanescope::image
