// Image files into memory.
//
//   PNG    1, 2, 4, 8 and 16 bits; grey, RGB, palette, with and without alpha; interlaced. Samples of 16 bits
//          are kept, those of fewer than 8 are spread over 0 to 255. A palette becomes RGB. A transparent
//          colour or palette entry (tRNS) becomes an alpha channel.
//   JPEG   baseline and progressive, grey and colour, 8 bits
//   BMP    1, 4, 8, 16, 24 and 32 bits, not compressed; RGB, or RGBA where the file has an alpha channel
//
// Samples are what the file holds: gamma, colour profiles and the orientation in a JPEG's EXIF data are not
// applied. Every other format, and a CMYK JPEG, is refused by its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "image/image.h"

namespace lanescope::image {

inline constexpr std::uint32_t max_side = 8192;  // of a file that is read, in pixels

// By the ending, in capital or small letters: formats that are read and common ones that decode() refuses by
// name.
bool is_image_name(const std::filesystem::path& file);

// What the file's head says; pixels are not read. `name` is the file's name in errors: a format that is not
// read, no pixels, more than 8192 a side.
Result<Header> read_header(std::string_view bytes, const std::string& name);

// The size is checked before memory for the pixels is taken. Errors: read_header's; a file that is damaged or
// cut off.
Result<Image> decode(std::string_view bytes, const std::string& name);
Result<Image> load(const std::filesystem::path& path);  // also read_file's errors

}  // namespace lanescope::image
