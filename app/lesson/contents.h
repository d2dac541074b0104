// The initial contents of buffers.
//
//   zero                 every element 0
//   constant(c)          every element c
//   iota, iota(a, s)     a, a + s, a + 2s, …; 0, 1, 2, … by default
//   each(e)              the expression e of the index i
//   random(lo, hi)       whole numbers of [lo, hi] if both are written as integers, else reals of [lo, hi)
//   values, text         repeated until the buffer is full
//   file                 a .npy or raw file: data_file.h
//   addresses            of other buffers, or whole numbers: buffer_address.h
//   image                an image file in rows: 1 component grey, 2 grey and alpha, 3 RGB, 4 RGBA; integers
//                        hold 0 to 255, floating point 0 to 1
//
// The components of a vector type (float4) are filled one after the other. Random numbers are PCG32 (M.
// O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
// Generation", 2014), seeded with the FNV-1a hash of the buffer's name, so that the contents are the same on
// every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lesson/expression.h"
#include "lesson/front_matter.h"
#include "lesson/instance.h"

namespace lanescope::lesson {

// The keys of a buffer that give contents; at most one is allowed.
inline constexpr std::array buffer_contents{"init", "text", "image", "file", "values", "addresses"};

// Checks the form and the number and syntax of its arguments.
Result<void> check_init(const Expression& init, const Names& names, const std::string& file);

// Fills `instance` with the contents that `buffer` specifies, if any. Its type, count and extents must be
// set.
Result<void> fill(const Buffer& buffer, const Names& names, const std::string& file,
                  BufferInstance& instance);

// Returns the rows and columns of the image that `buffer` names, relative to the folder of `file`.
Result<std::array<std::uint64_t, 2>> image_extents(const Buffer& buffer, const std::string& file);

}  // namespace lanescope::lesson
