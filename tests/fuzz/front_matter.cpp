// Fuzzes kernel files: front matter with expressions and launches, and proposed
// launches for files without it.
#include <cstdint>
#include <string_view>

#include "lesson/front_matter.h"
#include "lesson/instance.h"
#include "lesson/proposal/propose.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope;
    constexpr std::uint64_t max_bytes = 1 << 20;
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    const auto front = lesson::parse_front_matter(source, "fuzz.cu");
    if (front) (void)lesson::instantiate(*front, {}, "fuzz.cu", max_bytes);
    const auto proposed = lesson::propose({{{"fuzz.cu", std::string(source)}}, {}, {}});
    if (proposed) (void)lesson::instantiate(*proposed, {}, "fuzz.cu", max_bytes);
    return 0;
}
