// A picture of the window's preview, as options describe it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"

namespace lanescope {

namespace ui {
class PreviewPage;
}

// Size in pixels, as for `render`.
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

}  // namespace lanescope
