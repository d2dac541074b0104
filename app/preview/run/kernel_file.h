// Kernel files as filters: which buffer of a file is the image, which the mask, which the result.
//
// A file says it by what it expects: [[expect]] buffer = "out", equals = "convolve(in, mask)". The image and
// the result are matrices. The mask is a matrix, or, where one of its launches goes along rows and another
// along columns (a second
// [[expect]] then names the square mask, which no kernel reads), the vector of which the mask is the outer
// product.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lesson/front_matter.h"

namespace lanescope::preview {

struct Convolution {
    std::string image, mask, out;  // buffers
    bool separable = false;        // `mask` is a vector
    int line = 0;                  // of the [[expect]]
};

struct KernelFile {
    std::string file, source;
    lesson::FrontMatter front;
    std::vector<Convolution> convolutions;  // at least one
};

// Errors: front matter that is wrong, or that names no convolution of a matrix: what is missing.
Result<KernelFile> parse_kernel(std::string source, const std::string& file);
Result<KernelFile> read_kernel(const std::string& path);

}  // namespace lanescope::preview
