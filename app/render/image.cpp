#include "render/image.h"

#include <string>

#include "base/files.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace lanescope::render {

Result<void> write_png(const Image& image, const std::filesystem::path& path) {
    const std::size_t wanted = std::size_t(image.width) * std::size_t(image.height) * 4;
    if (image.width <= 0 || image.height <= 0 || image.rgba.size() != wanted)
        return error(path.string() + ": an empty picture cannot be written");
    std::string bytes;
    const auto append = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), std::size_t(size));
    };
    if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                                image.width * 4))
        return error(path.string() + ": the picture does not fit in memory");
    return write_file(path, bytes);
}

}  // namespace lanescope::render
