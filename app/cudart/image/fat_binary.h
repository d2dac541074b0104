// The device code that nvcc puts into a program: a fat binary holds images of one module for several GPUs.
//
// The layout is not documented. It is that of `fatbinary` of CUDA 12 and 13, as files that nvcc wrote show
// it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanescope::cudart {

struct PtxImage {
    std::string text;
    unsigned architecture = 0;  // 90: compute_90
    bool debug = false;         // made with -G
};

// The PTX of a fat binary (magic 0xBA55ED50) that lies in memory, plain or compressed by LZ4 or Zstandard.
// Machine code is left out. Errors: it is not a fat binary, or it is damaged.
Result<std::vector<PtxImage>> ptx_images(const void* fat_binary);

// Whether it holds code that was made with -G, machine code or PTX; false if it is not a fat binary or
// damaged.
bool has_debug_code(const void* fat_binary);

// The image for a device of this compute capability (90: 9.0): the newest that is not newer than the device,
// else the oldest; of equal ones that with debug information. Null if there is none.
const PtxImage* best_image(const std::vector<PtxImage>& images, unsigned capability);

}  // namespace lanescope::cudart
