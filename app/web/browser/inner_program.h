// What starts this program as a child on a desktop calls it here: `lanescope export …` of the export
// dialogue.
#pragma once

#include <string>
#include <vector>

namespace lanescope {

// Takes the arguments behind the program's name; returns the exit code. What it prints is caught.
using InnerProgram = int (*)(std::vector<std::string> arguments);
void set_inner_program(InnerProgram program);

}  // namespace lanescope
