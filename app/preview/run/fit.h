// Chooses the parameters of a kernel file so that it takes an image and a mask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/element_type.h"
#include "lesson/instance.h"
#include "preview/filter/mask.h"
#include "preview/run/kernel_file.h"

namespace lanescope::preview {

struct Plane {
    std::uint64_t rows = 0, columns = 0;
    double max_level = 255;  // values are 0 … max_level
};

// A kernel file with parameters with which it takes a plane and a mask.
struct Fit {
    lesson::Instance
        instance;  // image, mask and result without contents; only the launches that the result needs
    std::size_t image = 0, mask = 0, out = 0;  // buffers of the instance
    lesson::ElementType image_type, mask_type, out_type;
    std::uint64_t rows = 0, columns = 0;            // of the image buffer: at least the plane's
    std::uint32_t mask_rows = 1, mask_columns = 1;  // that the kernel takes; 1 × length of a separable mask
    bool separable = false;
    double scale = 1;  // the kernel gets the mask's values times this, and its sums are divided by it: not 1
                       // if the mask's or the result's type is an integer

    std::vector<double> mask_values(const Mask& wanted) const;  // for the kernel, mask_rows × mask_columns
    std::vector<std::byte> mask_contents(const Mask& wanted) const;  // the same as bytes of the buffer
    // Returns by how much results may differ from the exact ones because the kernel gets rounded mask values,
    // in levels; 0 if it gets real numbers.
    double rounding(const Mask& wanted, double max_level) const;
    std::string arithmetic() const;  // "int, mask × 2^20"
};

// `settings`: parameters that a person set. Errors: the image or the mask is larger than the file takes (the
// message has the largest size); a type that cannot hold the image; for a separable file, a mask that is not
// an outer product.
Result<Fit> fit(const KernelFile& kernel, const Plane& plane, const Mask& mask,
                const lesson::ParameterValues& settings);

}  // namespace lanescope::preview
