// Images for tests.
#pragma once

#include <cstdint>
#include <memory>

#include "image/image.h"
#include "preview/run/run.h"

namespace lanescope::preview {

// Noise that is the same everywhere.
inline image::Image noise_image(std::uint32_t width, std::uint32_t height, std::uint32_t channels,
                                std::uint32_t bits = 8) {
    image::Image image;
    image.width = width;
    image.height = height;
    image.channels = channels;
    image.bits = bits;
    std::uint64_t state = 12345;
    for (std::uint64_t i = 0; i < image.pixels() * channels; ++i) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        image.samples.push_back(static_cast<std::uint16_t>((state >> 40) & (bits == 16 ? 0xffff : 0xff)));
    }
    return image;
}

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
