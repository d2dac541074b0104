#include "cudart/runtime/images.h"

#include <algorithm>
#include <cstring>

namespace lanescope::cudart {

namespace {

std::uint32_t at_least_one(std::size_t size) {
    return static_cast<std::uint32_t>(std::max<std::size_t>(size, 1));
}

}  // namespace

simt::Image image_of(const simt::TexelFormat& format, const cudaExtent& extent, unsigned flags) {
    using Shape = simt::Image::Shape;
    simt::Image image;
    image.layered = (flags & cudaArrayLayered) != 0;
    image.shape = (flags & cudaArrayCubemap) != 0      ? Shape::cube
                  : extent.height == 0                 ? Shape::line
                  : extent.depth == 0 || image.layered ? Shape::plane
                                                       : Shape::solid;
    image.format = format;
    image.width = static_cast<std::uint32_t>(extent.width);
    image.height = at_least_one(extent.height);
    image.depth = at_least_one(extent.depth);
    image.row_bytes = std::uint64_t{image.width} * format.bytes();
    image.slice_bytes = image.row_bytes * image.height;
    return image;
}

simt::Image linear_image(const simt::TexelFormat& format, const cudaResourceDesc& resource) {
    const auto& linear = resource.res.linear;
    simt::Image image;
    image.shape = simt::Image::Shape::memory;
    image.format = format;
    image.address = reinterpret_cast<std::uint64_t>(linear.devPtr);
    image.width = static_cast<std::uint32_t>(linear.sizeInBytes / format.bytes());
    image.row_bytes = image.slice_bytes = std::uint64_t{image.width} * format.bytes();
    return image;
}

simt::Image pitched_image(const simt::TexelFormat& format, const cudaResourceDesc& resource) {
    const auto& pitched = resource.res.pitch2D;
    simt::Image image;
    image.shape = simt::Image::Shape::plane;
    image.format = format;
    image.address = reinterpret_cast<std::uint64_t>(pitched.devPtr);
    image.width = at_least_one(pitched.width);
    image.height = at_least_one(pitched.height);
    image.row_bytes = pitched.pitchInBytes;
    image.slice_bytes = image.row_bytes * image.height;
    return image;
}

simt::Texture texture_of(const simt::Image& image, const cudaTextureDesc& how) {
    simt::Texture texture;
    texture.image = image;
    for (std::size_t k = 0; k < texture.addressing.size(); ++k)
        texture.addressing[k] = static_cast<simt::Addressing>(how.addressMode[k]);
    texture.linear = how.filterMode == cudaFilterModeLinear;
    texture.normalized = how.normalizedCoords != 0;
    texture.as_float =
        how.readMode == cudaReadModeNormalizedFloat && image.format.kind != simt::TexelFormat::Kind::floating;
    std::memcpy(texture.border.data(), how.borderColor, sizeof texture.border);
    return texture;
}
static_assert(static_cast<int>(simt::Addressing::border) == cudaAddressModeBorder &&
              static_cast<int>(simt::Addressing::wrap) == cudaAddressModeWrap);

// Four channels of 8 bits that are read as floats; sRGB means nothing to other elements.
bool decodes_srgb(const cudaTextureDesc& how, const simt::TexelFormat& format) {
    return how.sRGB != 0 && how.readMode == cudaReadModeNormalizedFloat && format.bits == 8;
}

std::optional<simt::TexelFormat> texel_format(const cudaChannelFormatDesc& format) {
    using Kind = simt::TexelFormat::Kind;
    const int bits[] = {format.x, format.y, format.z, format.w};
    unsigned channels = 0;
    while (channels < 4 && bits[channels] != 0)
        ++channels;
    for (unsigned k = 0; k < 4; ++k)
        if (bits[k] != (k < channels ? format.x : 0)) return std::nullopt;
    if (channels == 0 || channels == 3 || (format.x != 8 && format.x != 16 && format.x != 32))
        return std::nullopt;
    simt::TexelFormat made;
    made.bits = static_cast<std::uint8_t>(format.x);
    made.channels = static_cast<std::uint8_t>(channels);
    switch (format.f) {
        case cudaChannelFormatKindSigned:
            made.kind = Kind::signed_integer;
            return made;
        case cudaChannelFormatKindUnsigned:
            made.kind = Kind::unsigned_integer;
            return made;
        case cudaChannelFormatKindFloat:
            if (format.x == 8) return std::nullopt;
            made.kind = Kind::floating;
            return made;
        default:
            return std::nullopt;
    }
}

std::string element_name(const simt::TexelFormat& format) {
    using Kind = simt::TexelFormat::Kind;
    std::string name = format.bits == 8 ? "char" : format.bits == 16 ? "short" : "int";
    if (format.kind == Kind::unsigned_integer) name.insert(0, "u");
    if (format.kind == Kind::floating) name = format.bits == 16 ? "half" : "float";
    return format.channels == 1 ? name : name + std::to_string(format.channels);
}

}  // namespace lanescope::cudart
