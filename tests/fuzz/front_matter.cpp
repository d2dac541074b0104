// Fuzzes kernel files: front matter with expressions and launches, and what files without it state.
#include <cstdint>
#include <string_view>

#include "lesson/front_matter.h"
#include "lesson/instance.h"
#include "lesson/proposal/stated_launch.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanescope;
    constexpr std::uint64_t max_bytes = 1 << 20;
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    const auto front = lesson::parse_front_matter(source, "fuzz.cu");
    if (front) (void)lesson::instantiate(*front, {}, "fuzz.cu", max_bytes);
    (void)lesson::stated_launches({{{"fuzz.cu", std::string(source)}}, {}, {}});
    return 0;
}
