// Hidden subcommands with which the build makes what is installed beside the program:
//   lanescope __completions bash|zsh|fish     the shell's completions, to standard output
//   lanescope __manual                        the manual page lanescope(1), likewise
//   lanescope __compile-course FOLDER         the lessons, compiled; only what has changed is compiled again
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanescope {

// `words`: the subcommand and its arguments. The exit code, as of every subcommand.
int packaging_command(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace lanescope
