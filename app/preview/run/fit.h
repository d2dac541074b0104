// Parameters of a kernel file such that it takes an image and a mask.
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

// The file with its parameters such that it takes a plane and a mask.
struct Fit {
    lesson::Instance
        instance;  // image, mask and result without contents; only the launches that the result needs
    std::size_t image = 0, mask = 0, out = 0;  // buffers of the instance
    lesson::ElementType image_type, mask_type, out_type;
    std::uint64_t rows = 0, columns = 0;            // of the image buffer: at least the plane's
    std::uint32_t mask_rows = 1, mask_columns = 1;  // that the kernel takes; of a separable one 1 × length
    bool separable = false;
    double scale = 1;  // the mask's values times this are given to the kernel, its sums divided by it: not 1
                       // where the mask's or the result's type is an integer

    std::vector<double> mask_values(const Mask& wanted) const;  // what is given, mask_rows × mask_columns
    std::vector<std::byte> mask_contents(const Mask& wanted) const;  // the same as the buffer holds it
    std::string arithmetic() const;                                  // "int, mask × 2^20"
};

// `settings`: parameters that a person set. Errors: the image or the mask is larger than the file takes, and
// which sizes it takes; a type that cannot hold the image; a mask that is no outer product for a separable
// file.
Result<Fit> fit(const KernelFile& kernel, const Plane& plane, const Mask& mask,
                const lesson::ParameterValues& settings);

}  // namespace lanescope::preview
