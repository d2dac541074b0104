// Fuzzes the preview's masks as text: a mask must stay the same when it is written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "preview/filter/mask.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope::preview;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (const auto mask = parse_mask(bytes, "fuzz.mask");
        mask && *parse_mask(to_text(*mask), "fuzz.mask") != *mask)
        std::abort();
    return 0;
}
