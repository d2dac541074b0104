// How the reasons for which warps wait look, wherever they are shown: related ones share a hue, and the rarer
// one of each pair is hatched.
#pragma once

#include <imgui.h>

#include <string_view>

#include "ui/kit/view.h"

namespace lanescope::ui {

struct StallLook {
    ImU32 colour = 0;
    bool hatched = false;
};
// `name`: as gpu::stall_name() returns it.
StallLook stall_look(std::string_view name);

}  // namespace lanescope::ui
