#pragma once

#include <cstdint>

namespace lanescope::ui {

enum class Brightness : std::uint8_t { dark, light };

}  // namespace lanescope::ui
