// The manual page lanescope(1).
#pragma once

#include <string>

#include "commands/command_table.h"

namespace lanescope {

// In the language of man(7).
std::string manual_page(const CommandTable& table, const std::string& version);

}  // namespace lanescope
