// Files that hold the contents of a buffer: NumPy's .npy, or bytes without a header.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lesson/instance.h"

namespace lanescope::lesson {

// Returns the extents that the file gives the buffer: its .npy shape, or the elements that its bytes make.
// Errors, at the buffer: the file cannot be read, lies outside of the folder of `file`, or is not as the
// buffer's type says.
Result<std::vector<std::uint64_t>> data_extents(const Buffer& buffer, const std::string& file);

// Copies the items into `bytes`. Errors: those of data_extents(); another size.
Result<void> read_data(const Buffer& buffer, const std::string& file, std::span<std::byte> bytes);

}  // namespace lanescope::lesson
