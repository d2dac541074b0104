// `lanescope lesson`: makes a lesson to begin with, and checks lessons.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanescope {

struct LessonOptions {
    std::string action;              // "new", "check"
    std::vector<std::string> names;  // of lessons, topics or folders
    std::string in = ".";            // where `new` makes its folder
    bool json = false, without_exercises = false;
    unsigned jobs = 0;

    void add_to(CLI::App& app);
};

// Returns the exit code.
int lesson_command(const LessonOptions& options);

}  // namespace lanescope
