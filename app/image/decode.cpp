#include "image/decode.h"

#include <algorithm>
#include <array>

#include "base/files.h"
#include "image/reader.h"

namespace lanescope::image {

namespace {

constexpr std::uint64_t max_file_bytes = 1ull << 30;

struct Signature {
    const char* format;
    std::size_t at;
    std::string_view bytes;
};

using namespace std::string_view_literals;

// Known formats that are not supported.
constexpr std::array signatures{
    Signature{"GIF", 0, "GIF8"sv},
    Signature{"WebP", 8, "WEBP"sv},
    Signature{"TIFF", 0, "II*\0"sv},
    Signature{"TIFF", 0, "MM\0*"sv},
    Signature{"Photoshop", 0, "8BPS"sv},
    Signature{"JPEG 2000", 4, "jP  "sv},
    Signature{"JPEG XL", 4, "JXL "sv},
    Signature{"JPEG XL", 0, "\xff\x0a"sv},
    Signature{"AVIF", 4, "ftypavif"sv},
    Signature{"HEIF", 4, "ftyp"sv},
    Signature{"OpenEXR", 0, "\x76\x2f\x31\x01"sv},
    Signature{"Radiance HDR", 0, "#?RADIANCE"sv},
    Signature{"icon", 0, "\0\0\1\0"sv},
    Signature{"QOI", 0, "qoif"sv},
    Signature{"SVG", 0, "<svg"sv},
};

bool is_netpbm(std::string_view bytes) {  // PBM, PGM, PPM, PAM
    return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7' &&
           (bytes[2] == '\n' || bytes[2] == ' ' || bytes[2] == '\r' || bytes[2] == '\t');
}

Diagnostic not_read(std::string_view bytes) {
    std::string format = is_netpbm(bytes) ? "PNM" : "";
    for (const Signature& signature : signatures)
        if (format.empty() && bytes.size() >= signature.at &&
            bytes.substr(signature.at).starts_with(signature.bytes))
            format = signature.format;
    if (format.empty()) return error("not a PNG, JPEG or BMP image", "convert it to one of these formats");
    return error("the format of this image, " + format + ", is not supported",
                 "convert it to PNG, JPEG or BMP");
}

Result<std::unique_ptr<Reader>> reader_for(std::string_view bytes) {
    if (bytes.size() > max_file_bytes)
        return error("the file is larger than 1 GiB", "make the image smaller");
    if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return png_reader(bytes);
    if (bytes.starts_with("\xff\xd8")) return jpeg_reader(bytes);
    if (bytes.starts_with("BM")) return bmp_reader(bytes);
    return not_read(bytes);
}

Result<Header> checked_header(Reader& reader) {
    Result<Header> header = reader.header();
    if (!header) return header;
    if (header->pixels() == 0) return error("the image has no pixels", "open another image");
    if (std::max(header->width, header->height) > max_side) {
        const std::string most = std::to_string(max_side);
        return error("the image has " + std::to_string(header->width) + " × " +
                         std::to_string(header->height) + " pixels; at most " + most + " × " + most +
                         " are possible",
                     "make it smaller");
    }
    return header;
}

Diagnostics with_name(Diagnostics diagnostics, const std::string& name) {
    for (Diagnostic& diagnostic : diagnostics)
        diagnostic.file = name;
    return diagnostics;
}

Result<Image> decode_with(Reader& reader) {
    const Result<Header> header = checked_header(reader);
    if (!header) return header.diagnostics();
    Result<Samples> samples = reader.samples();
    if (!samples) return samples.diagnostics();
    return Image{*header, std::move(*samples)};
}

}  // namespace

Result<Header> read_header(std::string_view bytes, const std::string& name) {
    const Result<std::unique_ptr<Reader>> reader = reader_for(bytes);
    if (!reader) return with_name(reader.diagnostics(), name);
    Result<Header> header = checked_header(**reader);
    if (!header) return with_name(header.diagnostics(), name);
    return header;
}

Result<Image> decode(std::string_view bytes, const std::string& name) {
    const Result<std::unique_ptr<Reader>> reader = reader_for(bytes);
    if (!reader) return with_name(reader.diagnostics(), name);
    Result<Image> image = decode_with(**reader);
    if (!image) return with_name(image.diagnostics(), name);
    return image;
}

Result<Image> load(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path, max_file_bytes);
    if (!bytes) return bytes.diagnostics();
    return decode(*bytes, path.string());
}

}  // namespace lanescope::image
