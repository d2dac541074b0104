// Image files: what decodes is written as a PNG and read again to the same pixels; also masks from text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "preview/filter/mask.h"
#include "preview/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope::preview;
    constexpr std::uint64_t most_pixels = 1u << 18;  // larger ones only take longer
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (const auto mask = parse_mask(bytes, "fuzz.mask");
        mask && *parse_mask(to_text(*mask), "fuzz.mask") != *mask)
        std::abort();
    const auto header = image_header(bytes, "fuzz.png");
    if (!header || header->pixels() > most_pixels) return 0;
    const auto image = decode_image(bytes, "fuzz.png");
    if (!image) return 0;
    if (image->samples.size() != image->pixels() * image->channels) std::abort();
    const auto written = encode_png(*image);
    if (!written) std::abort();
    const auto again = decode_image(*written, "fuzz.png");
    if (!again || again->samples != image->samples || again->bits != image->bits) std::abort();
    return 0;
}
