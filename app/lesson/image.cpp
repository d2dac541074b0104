#include "lesson/image.h"

#include <limits>
#include <memory>
#include <string>

#include "lesson/image_check.h"

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
    if (!huffman_tables_fit(file_bytes)) return error("a damaged JPEG: its Huffman tables are wrong");
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
    if (!chunks_fit(file_bytes)) return error("the file is cut off");
    const int length = static_cast<int>(file_bytes.size()), wanted = static_cast<int>(channels);
    Image image{(*size)[0], (*size)[1], 8, {}};
    const auto load = [&]<class Value>(Value* (*decode)(const stbi_uc*, int, int*, int*, int*, int)) {
        int columns = 0, rows = 0, in_file = 0;
        const std::unique_ptr<Value, void (*)(void*)> pixels(
            decode(data_of(file_bytes), length, &columns, &rows, &in_file, wanted), stbi_image_free);
        const bool whole = pixels && static_cast<std::uint64_t>(columns) == image.columns &&
                           static_cast<std::uint64_t>(rows) == image.rows;
        if (whole) image.pixels.assign(pixels.get(), pixels.get() + image.rows * image.columns * channels);
        return whole;
    };
    if (stbi_is_16_bit_from_memory(data_of(file_bytes), length)) image.bits = 16;
    const bool loaded = image.bits == 16 ? load.operator()<stbi_us>(stbi_load_16_from_memory)
                                         : load.operator()<stbi_uc>(stbi_load_from_memory);
    if (!loaded) return refused();
    return image;
}

}  // namespace lanescope::lesson
