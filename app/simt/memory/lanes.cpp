#include "simt/memory/lanes.h"

namespace lanescope::simt {

std::string threads_text(Mask mask, std::uint32_t first_thread) {
    std::string text = lane_count(mask) == 1 ? "thread " : "threads ";
    bool first = true;
    while (mask != 0) {
        const unsigned begin = first_lane(mask);
        const unsigned length = static_cast<unsigned>(std::countr_one(mask >> begin));
        mask &= ~(lanes_below(length) << begin);
        if (!first) text += ", ";
        first = false;
        text += std::to_string(first_thread + begin);
        if (length > 1) text += "-" + std::to_string(first_thread + begin + length - 1);
    }
    return text;
}

}  // namespace lanescope::simt
