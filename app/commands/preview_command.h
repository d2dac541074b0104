// `lanescope preview`: filters an image with a kernel file, for scripts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace lanescope {

namespace ui {
class PreviewPage;
}

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

// A picture of the window's preview. Size in pixels, as for `render`.
struct PreviewPicture {
    std::string image, mask = "gaussian:5:1.4", border = "zero", kernel, output;
    bool difference = false, reuse = false, edit = false, gpu = false;
    std::string place;  // of the GPU, as --gpu names it; empty: this machine
    int width = 1600, height = 1000;
    std::optional<std::pair<float, float>> mouse;  // where it rests
    bool inspect = false;                          // as PictureRequest::inspect
};
// Returns a function that opens the window's preview with the picture's options. Errors: a mask, a border or
// an image that cannot be read.
Result<std::function<Result<void>(ui::PreviewPage&)>> preview_of(const PreviewPicture& picture);
int render_preview(const PreviewPicture& picture);

// Returns the exit code: 0 fine; 1 a problem was found or the result is more than a level off; 2 bad input;
// 3 there is no GPU.
int preview_command(const PreviewOptions& options);

}  // namespace lanescope
