// Images for tests.
#pragma once

#include <cstdint>
#include <memory>

#include "../image/noise.h"
#include "preview/run/run.h"

namespace lanescope::preview {

using image::noise_image;

inline std::string kernel_path(const std::string& name) {
    return std::string(LANESCOPE_SOURCE_DIR) + "/kernels/convolution/" + name + ".cu";
}

inline Request request_for(image::Image image, const std::string& mask, Border border,
                           const std::string& kernel) {
    Request request;
    request.image = std::make_shared<const image::Image>(std::move(image));
    request.filter = *parse_filter(mask);
    request.border = border;
    request.kernel = std::make_shared<const KernelFile>(*read_kernel(kernel));
    return request;
}

inline std::string any_mask() {
    return std::string(LANESCOPE_SOURCE_DIR) + "/assets/preview/any_mask.cu";
}

}  // namespace lanescope::preview
