// The interface between decode() and the file formats, and code that the formats share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "image/image.h"

namespace lanescope::image {

using Samples = std::vector<std::uint16_t>;

// Reads one file. Errors have no file name yet; the bytes must outlive the reader.
class Reader {
  public:
    virtual ~Reader() = default;
    // Called first. Returns a size over max_side before it checks anything else.
    virtual Result<Header> header() = 0;
    // height × width × channels of header()
    virtual Result<Samples> samples() = 0;
};

std::unique_ptr<Reader> png_reader(std::string_view bytes);
std::unique_ptr<Reader> jpeg_reader(std::string_view bytes);
std::unique_ptr<Reader> bmp_reader(std::string_view bytes);

// Libraries write bytes into the first half of the samples' own memory. widen() then spreads them, so that
// large pictures need no second buffer.
inline std::span<unsigned char> bytes_of(Samples& samples) {
    return {reinterpret_cast<unsigned char*>(samples.data()), samples.size() * sizeof(std::uint16_t)};
}
inline void widen(Samples& samples) {
    const std::span<unsigned char> bytes = bytes_of(samples);
    for (std::size_t i = samples.size(); i-- > 0;)
        samples[i] = bytes[i];
}

inline Diagnostic cut_off() {
    return error("the file is cut off: pixels are missing", "copy or download it again");
}

}  // namespace lanescope::image
