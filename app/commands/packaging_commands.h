// Hidden subcommands with which the build makes what is installed beside the program:
//   lanescope __completions bash|zsh|fish     the shell's completions, to standard output
//   lanescope __manual                        the manual page lanescope(1), likewise
//   lanescope __compile-course FOLDER         the lessons, compiled; only what has changed is compiled again
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "commands/command_table.h"
#include "compile/compiler.h"

namespace lanescope {

// `words`: the subcommand and its arguments. The exit code, as of every subcommand.
int packaging_command(const CLI::App& app, const std::vector<std::string>& words);

// A lesson, compiled as the session does it, for the folder that compiled_folder() will be. Returns the
// file's path. Errors: those of compile::compile_ahead(); bad front matter.
struct CourseFile {
    std::string file;
    compile::Code code = compile::Code::debug;
    std::string target = {};  // instead of the file's own; empty: that one
};
Result<std::filesystem::path> compile_course_file(const CourseFile& wanted,
                                                  const std::filesystem::path& folder);
// The code that the program runs of a file: debug, optimised, and optimised for the clock.
std::vector<CourseFile> all_code_of(const std::string& file);

// The manual page lanescope(1), in the language of man(7).
std::string manual_page(const CommandTable& table, const std::string& version);

// Completions for shells: subcommands, options, their values; files where a value may be one.
std::string bash_completions(const CommandTable& table);
std::string zsh_completions(const CommandTable& table);
std::string fish_completions(const CommandTable& table);

}  // namespace lanescope
