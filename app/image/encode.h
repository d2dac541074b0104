// Writes images as PNG files.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "image/image.h"

namespace lanescope::image {

// What a picture shows decides how it is packed.
enum class Content {
    photo,    // keeps channels and bits; stores every row as differences from the row above
    drawing,  // flat areas and text, whose repetitions differences would hide; an alpha channel that is
              // opaque everywhere is left out
};

// Errors: an image without pixels.
Result<std::string> encode_png(const Image& image, Content content);
Result<void> save_png(const Image& image, Content content,
                      const std::filesystem::path& path);  // also write_file's errors

}  // namespace lanescope::image
