// Fuzzes image files: an image that decodes must keep its pixels when it is written as a PNG and read again.
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "image/decode.h"
#include "image/encode.h"

namespace {

using namespace lanescope::image;

void check(std::string_view bytes) {
    constexpr std::uint64_t max_pixels = 1u << 18;  // larger images only take longer
    const auto header = read_header(bytes, "fuzz.png");
    if (!header || header->pixels() > max_pixels) return;
    const auto image = decode(bytes, "fuzz.png");
    if (!image) return;
    if (!image->is_complete() || static_cast<const Header&>(*image) != *header) std::abort();
    const auto written = encode_png(*image, Content::photo);
    if (!written) std::abort();
    const auto again = decode(*written, "fuzz.png");
    if (!again || again->samples != image->samples || again->bits != image->bits) std::abort();
}

// Corrects the checksums of a PNG's chunks: the reader refuses wrong ones before it looks at the contents.
std::string with_checksums(std::string_view bytes) {
    constexpr std::size_t signature = 8, around_data = 12;  // length, name and checksum
    std::string png(bytes);
    for (std::size_t at = signature; at + around_data <= png.size();) {
        std::size_t length = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            length = length << 8 | static_cast<unsigned char>(png[i]);
        if (length > png.size() - at - around_data) break;
        const auto* const checked = reinterpret_cast<const Bytef*>(png.data() + at + 4);
        const auto sum = static_cast<std::uint32_t>(crc32(0, checked, static_cast<uInt>(length + 4)));
        at += around_data + length;
        for (std::size_t i = 1; i <= 4; ++i)
            png[at - i] = static_cast<char>(sum >> (8 * (i - 1)));
    }
    return png;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    check(bytes);
    if (bytes.starts_with("\x89PNG")) check(with_checksums(bytes));
    return 0;
}
