// Reads image files.
//
//   PNG    1, 2, 4, 8 and 16 bits; grey, RGB, palette, with and without alpha; interlaced. Samples of 16 bits
//   stay as they are; samples of fewer than 8 bits are spread over 0 to 255. A palette becomes RGB. A
//   transparent
//          colour or palette entry (tRNS) becomes an alpha channel.
//   JPEG   baseline and progressive, grey and colour, 8 bits
//   BMP 1, 4, 8, 16, 24 and 32 bits, uncompressed; RGB, or RGBA where the file has an alpha channel
//
// Samples have the values in the file: gamma, colour profiles and the orientation in a JPEG's EXIF data are
// not applied. Every other format, and a CMYK JPEG, is an error that names the format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "image/image.h"

namespace lanescope::image {

inline constexpr std::uint32_t max_side = 8192;  // of a file that is read, in pixels

// Reads the file's header without its pixels. `name` is the file's name in errors. Errors: a format that is
// not supported, no pixels, a side over 8192 pixels.
Result<Header> read_header(std::string_view bytes, const std::string& name);

// Checks the size before it allocates memory for the pixels. Errors: read_header's; a damaged or truncated
// file.
Result<Image> decode(std::string_view bytes, const std::string& name);
Result<Image> load(const std::filesystem::path& path);  // also read_file's errors

}  // namespace lanescope::image
