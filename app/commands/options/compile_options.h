// The options that say how files are compiled, and how a kernel of a file without front matter is launched.
#pragma once

#include <string>
#include <vector>

#include "execution/run/launch_arguments.h"

namespace CLI {
class App;
}

namespace lanescope {

struct CompileOptions {
    std::vector<std::string> include_folders, definitions;
    std::string standard, arch, kernel;
    lesson::LaunchWords launch;

    // `time` compiles for its GPU and takes no target.
    enum class Target : bool { fixed, chosen };
    void add_to(CLI::App& app, Target target = Target::chosen);
    bool empty() const;
    // Errors: a folder that does not exist; a flag that the compiler does not know.
    Result<execution::Opening> opening() const;
    std::vector<std::string> for_nvcc() const;  // for a program with main()
};

// Returns nvcc's spellings "-std=c++20" and "-arch=sm_90" as this program's own.
std::vector<std::string> with_long_options(int argc, char** argv);

}  // namespace lanescope
