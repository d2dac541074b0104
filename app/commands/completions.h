// Completions for shells: subcommands, options, their values; files where a value may be one.
#pragma once

#include <string>

#include "commands/command_table.h"

namespace lanescope {

std::string bash_completions(const CommandTable& table);
std::string zsh_completions(const CommandTable& table);
std::string fish_completions(const CommandTable& table);

}  // namespace lanescope
