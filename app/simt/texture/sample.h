// What a fetch from a texture reads and what it makes of that (CUDA C++ Programming Guide, "Texture
// Fetching"). The numbers that the guide leaves open are those of an H200; tests/unit/simt/texture_test.cpp
// compares them bit by bit. Known differences: filtered elements of signed 8-bit integers, read as floats,
// differ in the last of 15 bits for about one of 100 fetches; elements of cube maps in directions with
// components beyond 1e20.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "simt/texture/texture.h"

namespace lanescope::simt {

// Where a lane fetches: coordinates, or numbers of elements.
struct FetchPosition {
    std::array<float, 3> at{};
    std::array<std::int32_t, 3> element{};
    std::int32_t layer = 0;
    bool by_element = false;
};

// One element of an image and its weight; outside of the image the border's colour stands.
struct Tap {
    bool inside = true;
    std::uint32_t x = 0, y = 0, slice = 0;
    std::uint32_t weight = 256;  // in 1/256; those of a fetch add up to 1
    std::uint32_t plane = 0;     // 1: of the second slice that a filter in three dimensions reads
};
struct Taps {
    unsigned count = 1;
    std::array<Tap, 8> at;
    const Tap* begin() const { return at.data(); }
    const Tap* end() const { return at.data() + count; }
};
Taps taps_of(const Texture& texture, const FetchPosition& position);
// The four elements that linear filtering would use, in the order of the results of tld4.
Taps gather_taps_of(const Texture& texture, const FetchPosition& position);

inline std::uint64_t address_of(const Image& image, const Tap& tap) {
    return image.address + tap.slice * image.slice_bytes + tap.y * image.row_bytes +
           std::uint64_t{tap.x} * image.format.bytes();
}

// Where the bytes of an access to a surface are: x in bytes, y, then the slice or layer.
using SurfacePosition = std::array<std::int64_t, 3>;
bool is_inside(const Image& image, unsigned width_bytes, const SurfacePosition& at);
// `clamps`: an access outside is to the nearest place inside. None: the access is to nothing.
std::optional<std::uint64_t> surface_address(const Image& image, unsigned width_bytes, SurfacePosition at,
                                             bool clamps);

using Texel = std::array<std::uint32_t, 4>;  // bits of four floats or integers
// An element as it is in memory, its channels extended to 32 bits, or the border's colour in its place.
Texel texel_of(const TexelFormat& format, const std::byte* element);
Texel border_texel(const Texture& texture);
// What a read of an element gives.
Texel converted(const Texture& texture, const Texel& texel);
// The weighted sum of elements as the texture unit of compute capability 9.0 rounds it.
Texel filtered(const Texture& texture, const Taps& taps, std::span<const Texel> texels);

}  // namespace lanescope::simt
