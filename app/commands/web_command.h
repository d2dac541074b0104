// `lanescope web`: writes the version for browsers, with a lecturer's own files, as a folder for any server
// or as one file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanescope {

struct WebOptions {
    std::vector<std::string> files;  // .cu files, and folders of lessons
    std::string output;
    bool single = false;  // one .html file
    std::string first;    // what opens without a link: "lesson=scan/blelloch&step=32"
    std::string serve;    // the address of `lanescope serve`

    void add_to(CLI::App& app);
};

// The folder with the version for browsers: the installed program's, else the checkout's. Empty: it is not
// there.
std::filesystem::path web_folder();

// Returns the exit code.
int web_command(const WebOptions& options);

}  // namespace lanescope
