#include "preview/image.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/files.h"
#include "lesson/image_check.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace lanescope::preview {

namespace {

constexpr std::uint64_t max_file_bytes = 1ull << 30;

const stbi_uc* data_of(std::string_view bytes) {
    return reinterpret_cast<const stbi_uc*>(bytes.data());
}

Diagnostic refused(const std::string& name) {
    const char* reason = stbi_failure_reason();
    return error_at(name, 0, 0,
                    "no readable PNG, JPEG or BMP" + (reason ? " (" + std::string(reason) + ")" : ""));
}

std::uint64_t little_endian(std::string_view bytes, std::size_t at, unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count && at + i < bytes.size(); ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return value;
}

// The decoder takes zeros for what is missing at the end of a BMP or a JPEG, and a half picture would look
// like a whole one. Of a PNG it believes what a chunk says about its length.
bool cut_off(std::string_view bytes, const ImageHeader& header) {
    if (bytes.starts_with('\xff'))  // with any number of these a JPEG begins
        return bytes.find("\xff\xd9", bytes.size() / 2) == std::string_view::npos;
    if (!bytes.starts_with("BM")) return !lesson::chunks_fit(bytes);
    const bool old = little_endian(bytes, 14, 4) == 12;  // the head of OS/2
    const std::uint64_t bits = little_endian(bytes, old ? 24 : 28, 2),
                        pixels_at = little_endian(bytes, 10, 4);
    const std::uint64_t row_bytes = (bits * header.width + 31) / 32 * 4;
    return bytes.size() < pixels_at + row_bytes * header.height;
}

Diagnostic too_large(const std::string& name, std::uint64_t columns, std::uint64_t rows) {
    return error_at(name, 0, 0,
                    "the image has " + std::to_string(columns) + " × " + std::to_string(rows) +
                        " pixels; at most 8192 × 8192 are possible");
}

// The decoder calls a PNG that is too large for it no image at all.
std::uint64_t png_side(std::string_view bytes, std::size_t at) {
    std::uint64_t side = 0;
    for (std::size_t i = at; i < at + 4; ++i)
        side = side << 8 | static_cast<unsigned char>(bytes[i]);
    return side;
}

template <class Sample>
void take(Image& image, const Sample* samples) {
    image.samples.assign(samples, samples + image.pixels() * image.channels);
}

}  // namespace

std::string describe(const ImageHeader& header) {
    static constexpr const char* kinds[] = {"", "grey", "grey with alpha", "RGB", "RGBA"};
    return std::to_string(header.width) + " × " + std::to_string(header.height) + " · " +
           kinds[header.channels <= 4 ? header.channels : 0] + " " + std::to_string(header.bits) + " bit";
}

Result<ImageHeader> image_header(std::string_view bytes, const std::string& name) {
    if (bytes.size() > max_file_bytes) return error_at(name, 0, 0, "the file is larger than 1 GiB");
    const int length = static_cast<int>(bytes.size());
    if (bytes.size() >= 24 && bytes.starts_with("\x89PNG") &&
        std::max(png_side(bytes, 16), png_side(bytes, 20)) > max_image_side)
        return too_large(name, png_side(bytes, 16), png_side(bytes, 20));
    if (!lesson::huffman_tables_fit(bytes))
        return error_at(name, 0, 0, "a damaged JPEG: its Huffman tables are wrong");
    int columns = 0, rows = 0, channels = 0;
    if (!stbi_info_from_memory(data_of(bytes), length, &columns, &rows, &channels)) return refused(name);
    if (columns < 1 || rows < 1 || channels < 1 || channels > 4)
        return error_at(name, 0, 0, "the image has no pixels");
    if (columns > static_cast<int>(max_image_side) || rows > static_cast<int>(max_image_side))
        return too_large(name, static_cast<std::uint64_t>(columns), static_cast<std::uint64_t>(rows));
    ImageHeader header;
    header.width = static_cast<std::uint32_t>(columns);
    header.height = static_cast<std::uint32_t>(rows);
    header.channels = static_cast<std::uint32_t>(channels);
    header.bits = stbi_is_16_bit_from_memory(data_of(bytes), length) ? 16 : 8;
    return header;
}

Result<Image> decode_image(std::string_view bytes, const std::string& name) {
    const Result<ImageHeader> header = image_header(bytes, name);
    if (!header) return header.diagnostics();
    if (cut_off(bytes, *header)) return error_at(name, 0, 0, "the file is cut off: pixels are missing");
    Image image;
    static_cast<ImageHeader&>(image) = *header;
    const int length = static_cast<int>(bytes.size()), wanted = static_cast<int>(image.channels);
    int columns = 0, rows = 0, in_file = 0;
    const auto load = [&]<class Sample>(Sample* (*decode)(const stbi_uc*, int, int*, int*, int*, int)) {
        const std::unique_ptr<Sample, void (*)(void*)> samples(
            decode(data_of(bytes), length, &columns, &rows, &in_file, wanted), stbi_image_free);
        // What the head says and what is decoded come from the same bytes; a decoder that saw another size
        // would make reads behind its pixels.
        if (!samples || columns != static_cast<int>(image.width) || rows != static_cast<int>(image.height))
            return false;
        take(image, samples.get());
        return true;
    };
    const bool loaded = image.bits == 16 ? load.operator()<stbi_us>(stbi_load_16_from_memory)
                                         : load.operator()<stbi_uc>(stbi_load_from_memory);
    if (!loaded) return refused(name);
    return image;
}

Result<Image> load_image(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path, max_file_bytes);
    if (!bytes) return bytes.diagnostics();
    return decode_image(*bytes, path.string());
}

Result<void> save_png(const Image& image, const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    for (char& c : ending)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (ending != ".png")
        return error_at(path.string(), 0, 0, "the picture is written as PNG", "a name that ends in .png");
    const Result<std::string> bytes = encode_png(image);
    if (!bytes) return bytes.diagnostics();
    return write_file(path, *bytes);
}

}  // namespace lanescope::preview
