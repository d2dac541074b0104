// Errors and warnings of libpng: an error springs the trap that was given to libpng, a warning is ignored.
#pragma once

#include <png.h>

#include "image/trap.h"

namespace lanescope::image {

inline void png_error_springs(png_structp png, png_const_charp message) {
    static_cast<Trap*>(png_get_error_ptr(png))->spring(message);
}

inline void png_warning_is_ignored(png_structp, png_const_charp) {}

}  // namespace lanescope::image
