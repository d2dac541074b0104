// Kernel files as filters: which buffer of a file is the image, which the mask, which the result.
//
// A file says so by an expectation: [[expect]] buffer = "out", equals = "convolve(in, mask)". The image and
// the result are matrices. The mask is a matrix too, unless one launch goes along rows and another along
// columns. Then the mask is a vector whose outer product is the square mask, and a second [[expect]] names
// the square mask, which no kernel reads.
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

// Errors: wrong front matter; front matter without a convolution of a matrix, where the message says what is
// missing.
Result<KernelFile> parse_kernel(std::string source, const std::string& file);
Result<KernelFile> read_kernel(const std::string& path);

}  // namespace lanescope::preview
