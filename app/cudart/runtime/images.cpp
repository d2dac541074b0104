#include "cudart/runtime/images.h"

namespace lanescope::cudart {

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
