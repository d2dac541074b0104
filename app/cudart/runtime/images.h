// CUDA's arrays, texture objects and surface objects of a device.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "simt/texture/texture.h"

namespace lanescope::cudart {

struct Array {
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  // as given: a height or depth of 0 says that there is none
    unsigned flags = 0;
    simt::Image image;  // elements without gaps
    std::size_t rows() const { return image.height; }
    std::size_t slices() const { return image.depth; }
    std::size_t element_bytes() const { return image.format.bytes(); }
};

struct TextureObject {
    cudaResourceDesc resource{};
    cudaTextureDesc how{};
};

struct Images {
    std::map<cudaArray_const_t, std::unique_ptr<Array>> arrays;
    std::map<cudaTextureObject_t, TextureObject> textures;
    std::map<cudaSurfaceObject_t, cudaResourceDesc> surfaces;

    const Array* array(cudaArray_const_t handle) const {
        const auto found = arrays.find(handle);
        return found == arrays.end() ? nullptr : found->second.get();
    }
    cudaArray_t add(const Array& array) {
        auto made = std::make_unique<Array>(array);
        const auto handle = reinterpret_cast<cudaArray_t>(made.get());
        arrays.emplace(handle, std::move(made));
        return handle;
    }
};

// The image of an array's elements without gaps; its address is not set.
simt::Image image_of(const simt::TexelFormat& format, const cudaExtent& extent, unsigned flags);
// Images of memory at the address in the descriptor: one row, or rows at a distance.
simt::Image linear_image(const simt::TexelFormat& format, const cudaResourceDesc& resource);
simt::Image pitched_image(const simt::TexelFormat& format, const cudaResourceDesc& resource);
simt::Texture texture_of(const simt::Image& image, const cudaTextureDesc& how);
// Four channels of 8 bits that are read as floats; sRGB means nothing to other elements.
bool decodes_srgb(const cudaTextureDesc& how, const simt::TexelFormat& format);

// The format of elements; none where CUDA has no such format.
std::optional<simt::TexelFormat> texel_format(const cudaChannelFormatDesc& format);
// The name of the type of an element, such as "float" or "uchar4"; halves have no vectors.
std::string element_name(const simt::TexelFormat& format);
constexpr const char* element_names[] = {"char",    "uchar", "short",  "ushort", "int",    "uint",
                                         "float",   "half",  "char2",  "uchar2", "short2", "ushort2",
                                         "int2",    "uint2", "float2", "char4",  "uchar4", "short4",
                                         "ushort4", "int4",  "uint4",  "float4"};

}  // namespace lanescope::cudart
