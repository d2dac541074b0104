// NumPy's .npy files, versions 1.0 to 3.0 (numpy/lib/format.py): one array, a header and its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lanescope {

// An array without its bytes. Little-endian.
struct NpyHeader {
    char kind = 'f';  // numpy's: b (bool), i, u, f, c (complex), V (bytes without a meaning)
    std::uint32_t item_bytes = 4;
    std::vector<std::uint64_t> shape;  // the last extent changes fastest; empty: one item
    std::size_t data_offset = 0;       // in the file, bytes

    std::string type() const;         // "<f4", as numpy writes it
    unsigned __int128 count() const;  // items
    bool operator==(const NpyHeader&) const = default;
};

// `bytes` is a whole file. Errors, without a place: it is not a .npy file, or a damaged one; the items are
// big-endian, objects or structures; the order is Fortran's, where it matters; there are fewer or more bytes
// than the header says.
Result<NpyHeader> read_npy(std::string_view bytes);

// The header of a file, of version 1.0. `header.data_offset` is not used.
std::string npy_header(const NpyHeader& header);

}  // namespace lanescope
