#include "render/image.h"

#include <zlib.h>

#include <algorithm>
#include <string>

#include "base/files.h"

namespace lanescope::render {
namespace {

constexpr int compression = 6;  // 9 takes four times as long for one twentieth less

void append_number(std::string& bytes, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 255);
}

// ISO/IEC 15948, 5.3: length, kind, data, checksum of kind and data.
void append_chunk(std::string& bytes, const std::string& kind, const std::string& data) {
    const std::string summed = kind + data;
    append_number(bytes, static_cast<std::uint32_t>(data.size()));
    bytes += summed;
    append_number(bytes, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(summed.data()),
                                                          static_cast<uInt>(summed.size()))));
}

// Rows as they are: windows are flat areas and text, of which a filter would hide the repetitions.
std::string unfiltered_rows(const Image& image, std::size_t channels) {
    const std::size_t pixels = image.rgba.size() / 4, columns = static_cast<std::size_t>(image.width);
    std::string rows;
    rows.reserve(pixels * channels + static_cast<std::size_t>(image.height));
    for (std::size_t i = 0; i < pixels; ++i) {
        if (i % columns == 0) rows += '\0';
        rows.append(reinterpret_cast<const char*>(image.rgba.data()) + i * 4, channels);
    }
    return rows;
}

bool opaque(const Image& image) {
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        if (image.rgba[i] != 255) return false;
    return true;
}

}  // namespace

Result<void> write_png(const Image& image, const std::filesystem::path& path) {
    const std::size_t wanted = std::size_t(image.width) * std::size_t(image.height) * 4;
    if (image.width <= 0 || image.height <= 0 || image.rgba.size() != wanted)
        return error(path.string() + ": an empty picture cannot be written");
    const bool rgb = opaque(image);
    const std::string rows = unfiltered_rows(image, rgb ? 3 : 4);
    uLongf size = compressBound(rows.size());
    std::string compressed(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
                  reinterpret_cast<const Bytef*>(rows.data()), rows.size(), compression) != Z_OK)
        return error(path.string() + ": the picture does not fit in memory");
    compressed.resize(size);
    std::string header;
    append_number(header, static_cast<std::uint32_t>(image.width));
    append_number(header, static_cast<std::uint32_t>(image.height));
    header += {8, static_cast<char>(rgb ? 2 : 6), 0, 0, 0};  // bits, colours, compression, filter, interlace
    std::string bytes = "\x89PNG\r\n\x1a\n";
    append_chunk(bytes, "IHDR", header);
    append_chunk(bytes, "IDAT", compressed);
    append_chunk(bytes, "IEND", {});
    return write_file(path, bytes);
}

}  // namespace lanescope::render
