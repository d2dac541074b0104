#include "preview/filter/border.h"

#include <algorithm>
#include <array>

namespace lanescope::preview {

namespace {

constexpr std::array<const char*, 4> names{"zero", "clamp", "mirror", "wrap"};

std::int64_t modulo(std::int64_t value, std::int64_t by) {
    return (value % by + by) % by;
}

}  // namespace

const char* to_text(Border border) {
    return names[static_cast<std::size_t>(border)];
}

Result<Border> parse_border(std::string_view text) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end())
        return error("unknown border '" + std::string(text) + "'", "use zero, clamp, mirror or wrap");
    return static_cast<Border>(found - names.begin());
}

std::int64_t source_index(std::int64_t at, std::int64_t count, Border border) {
    if (at >= 0 && at < count) return at;
    switch (border) {
        case Border::zero:
            return -1;
        case Border::clamp:
            return std::clamp<std::int64_t>(at, 0, count - 1);
        case Border::wrap:
            return modulo(at, count);
        case Border::mirror:
            break;
    }
    if (count == 1) return 0;
    const std::int64_t period = 2 * (count - 1), phase = modulo(at, period);
    return phase < count ? phase : period - phase;
}

}  // namespace lanescope::preview
