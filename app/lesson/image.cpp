#include "lesson/image.h"

#include <limits>
#include <memory>
#include <string>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS 8192
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace lanescope::lesson {

namespace {

Diagnostic refused() {
    const char* reason = stbi_failure_reason();
    return error("no readable PNG or JPEG" + (reason ? " (" + std::string(reason) + ")" : std::string()));
}

const stbi_uc* data_of(std::string_view bytes) {
    return reinterpret_cast<const stbi_uc*>(bytes.data());
}

bool too_long(std::string_view bytes) {
    return bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max());
}

}  // namespace

Result<std::array<std::uint64_t, 2>> image_size(std::string_view file_bytes) {
    int columns = 0, rows = 0, channels = 0;
    if (too_long(file_bytes) ||
        !stbi_info_from_memory(data_of(file_bytes), static_cast<int>(file_bytes.size()), &columns, &rows,
                               &channels))
        return refused();
    if (columns < 1 || rows < 1 || columns > static_cast<int>(max_image_extent) ||
        rows > static_cast<int>(max_image_extent))
        return error(std::to_string(columns) + " × " + std::to_string(rows) +
                     " pixels; at most 8192 × 8192 are read");
    return std::array{static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)};
}

Result<Image> decode_image(std::string_view file_bytes, std::uint32_t channels) {
    const auto size = image_size(file_bytes);
    if (!size) return size.diagnostics();
    int columns = 0, rows = 0, in_file = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(data_of(file_bytes), static_cast<int>(file_bytes.size()), &columns, &rows,
                              &in_file, static_cast<int>(channels)),
        stbi_image_free);
    if (!pixels) return refused();
    Image image{static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), {}};
    image.pixels.assign(pixels.get(), pixels.get() + image.rows * image.columns * channels);
    return image;
}

}  // namespace lanescope::lesson
