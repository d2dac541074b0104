// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope::scene {

std::string grouped(std::uint64_t number);  // "1 234 567"

}  // namespace lanescope::scene
