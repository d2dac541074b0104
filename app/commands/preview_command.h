// `lanescope preview`: filters an image with a kernel file, for scripts.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanescope {

struct PreviewPicture;

struct PreviewOptions {
    std::string image;
    std::string mask = "gaussian:5";
    std::vector<std::string> changes;  // of the mask, in order
    std::string save_mask;
    std::string border = "zero";
    std::string kernel;  // empty: the first shipped kernel file that takes the image and the mask
    std::vector<std::string> settings;
    std::string engine = "cpu", gpu;
    std::string output;
    double timeout_s = 600;
    bool alpha = false;
    bool json = false;

    void add_to(CLI::App& app);
};

// Draws it into its output. Returns the exit code.
int render_preview(const PreviewPicture& picture);

// Returns the exit code: 0 fine; 1 a problem was found or the result is more than a level off; 2 bad input;
// 3 there is no GPU.
int preview_command(const PreviewOptions& options);

}  // namespace lanescope
