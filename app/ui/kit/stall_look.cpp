#include "ui/kit/stall_look.h"

#include "ui/kit/theme.h"

namespace lanescope::ui {

StallLook stall_look(std::string_view name) {
    const bool light = brightness() == Brightness::light;
    const auto pick = [&](unsigned dark_rgb, unsigned light_rgb) {
        const unsigned rgb = light ? light_rgb : dark_rgb;
        return IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, 255);
    };
    const ImU32 global = pick(0x8B5CF0, 0x5B2C9E), shared = pick(0x187C78, 0x107080),
                arithmetic = pick(0x4C9BE8, 0x3F86E8), supply = pick(0xC9743E, 0xB94E08),
                ready = pick(0xAEB8C8, 0x7E8898);
    if (name == "issues") return {theme().text_strong};
    if (name == "global_memory") return {global};
    if (name == "memory_queue" || name == "texture_queue") return {global, true};
    if (name == "shared_memory") return {shared};
    if (name == "shared_queue") return {shared, true};
    if (name == "barrier") return {theme().barrier};
    if (name == "fence" || name == "warpgroup") return {theme().barrier, true};
    if (name == "arithmetic") return {arithmetic};
    if (name == "pipe_busy" || name == "dispatch") return {arithmetic, true};
    if (name == "branch") return {supply};
    if (name == "instructions" || name == "constant_cache") return {supply, true};
    if (name == "not_selected") return {ready};
    return {ready, true};  // drain, sleeping, other
}

}  // namespace lanescope::ui
