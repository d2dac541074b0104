// Image files: what decodes is written as a PNG and read again to the same pixels.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "image/decode.h"
#include "image/encode.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope::image;
    constexpr std::uint64_t most_pixels = 1u << 18;  // larger ones only take longer
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto header = read_header(bytes, "fuzz.png");
    if (!header || header->pixels() > most_pixels) return 0;
    const auto image = decode(bytes, "fuzz.png");
    if (!image) return 0;
    if (!image->is_complete() || static_cast<const Header&>(*image) != *header) std::abort();
    const auto written = encode_png(*image, Content::photo);
    if (!written) std::abort();
    const auto again = decode(*written, "fuzz.png");
    if (!again || again->samples != image->samples || again->bits != image->bits) std::abort();
    return 0;
}
