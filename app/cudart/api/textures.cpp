// Texture and surface objects.
#include <algorithm>
#include <cstring>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

// What an H200 accepts: neither the size nor the pitch must fit the memory behind the pointer. A fetch from
// outside of it is a problem of the kernel.
constexpr std::size_t texture_alignment = 512, pitch_alignment_of_textures = 32;
constexpr std::size_t most_linear_elements = std::size_t{1} << 30;
constexpr std::size_t widest_pitched = 131072, highest_pitched = 65000, longest_pitch = 2097120;

bool is_texture_memory(const Device& device, const void* pointer) {
    return address_of(pointer) % texture_alignment == 0 && device.holds(address_of(pointer), 1);
}

cudaError_t check_linear(const Device& device, const cudaResourceDesc& resource, simt::Image& image) {
    const auto& linear = resource.res.linear;
    const auto format = texel_format(linear.desc);
    if (!format) return cudaErrorInvalidChannelDescriptor;
    const std::size_t count = linear.sizeInBytes / format->bytes();
    if (count > most_linear_elements || !is_texture_memory(device, linear.devPtr))
        return cudaErrorInvalidValue;
    image = linear_image(*format, resource);
    return cudaSuccess;
}

cudaError_t check_pitched(const Device& device, const cudaResourceDesc& resource, simt::Image& image) {
    const auto& pitched = resource.res.pitch2D;
    const auto format = texel_format(pitched.desc);
    if (!format) return cudaErrorInvalidChannelDescriptor;
    if (pitched.width > widest_pitched || pitched.height > highest_pitched ||
        pitched.pitchInBytes > longest_pitch || pitched.pitchInBytes % pitch_alignment_of_textures != 0 ||
        !is_texture_memory(device, pitched.devPtr))
        return cudaErrorInvalidValue;
    image = pitched_image(*format, resource);
    return cudaSuccess;
}

cudaError_t image_of_resource(Device& device, const cudaResourceDesc& resource, simt::Image& image) {
    switch (resource.resType) {
        case cudaResourceTypeArray: {
            const Array* array = device.images().array(resource.res.array.array);
            if (array == nullptr) return cudaErrorInvalidResourceHandle;
            image = array->image;
            return cudaSuccess;
        }
        case cudaResourceTypeLinear:
            return check_linear(device, resource, image);
        case cudaResourceTypePitch2D:
            return check_pitched(device, resource, image);
        case cudaResourceTypeMipmappedArray:
            return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

bool modes_are_known(const cudaTextureDesc& how) {
    for (const cudaTextureAddressMode mode : how.addressMode)
        if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder) return false;
    return (how.filterMode == cudaFilterModePoint || how.filterMode == cudaFilterModeLinear) &&
           (how.readMode == cudaReadModeElementType || how.readMode == cudaReadModeNormalizedFloat);
}

// Elements that stay integers are not filtered, and only those of 8 and 16 bits become floats.
cudaError_t check_reading(const cudaTextureDesc& how, const simt::TexelFormat& format) {
    const bool as_float = how.readMode == cudaReadModeNormalizedFloat;
    if (as_float && format.bits == 32) return cudaErrorInvalidNormSetting;
    const bool floats = as_float || format.kind == simt::TexelFormat::Kind::floating;
    return how.filterMode == cudaFilterModePoint || floats ? cudaSuccess : cudaErrorInvalidFilterSetting;
}

cudaError_t make_texture(Device& device, cudaTextureObject_t* object, const cudaResourceDesc* resource,
                         const cudaTextureDesc* how, const cudaResourceViewDesc* view) {
    if (object == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    if (how == nullptr) return cudaErrorInvalidResourceHandle;
    if (!modes_are_known(*how)) return cudaErrorInvalidValue;
    simt::Image image;
    if (const cudaError_t error = image_of_resource(device, *resource, image); error != cudaSuccess)
        return error;
    if (const cudaError_t error = check_reading(*how, image.format); error != cudaSuccess) return error;
    if (view != nullptr || decodes_srgb(*how, image.format)) return cudaErrorNotSupported;
    *object = device.image_objects().add(texture_of(image, *how));
    device.images().textures.emplace(*object, TextureObject{*resource, *how});
    return cudaSuccess;
}

cudaError_t make_surface(Device& device, cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
        return cudaErrorInvalidValue;
    const Array* array = device.images().array(resource->res.array.array);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    *object = device.image_objects().add_surface(array->image);
    device.images().surfaces.emplace(*object, *resource);
    return cudaSuccess;
}

const TextureObject* find_texture(Device& device, cudaTextureObject_t object) {
    const auto found = device.images().textures.find(object);
    return found == device.images().textures.end() ? nullptr : &found->second;
}

}  // namespace

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object,
                                                   const cudaResourceDesc* resource,
                                                   const cudaTextureDesc* how,
                                                   const cudaResourceViewDesc* view) {
    return call("cudaCreateTextureObject", [&](Runtime& runtime, Device& device) {
        const cudaError_t error = make_texture(device, object, resource, how, view);
        if (error == cudaErrorNotSupported)
            runtime.journal().refuse(
                "textures of mipmapped arrays, with a resource view or of sRGB colours are not supported: "
                "cudaCreateTextureObject returns cudaErrorNotSupported");
        return error;
    });
}

LANESCOPE_CUDA cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return call("cudaDestroyTextureObject", [&](Runtime&, Device& device) {
        device.images().textures.erase(object);
        device.image_objects().remove(object);  // other handles are let pass, as CUDA does
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                                            cudaTextureObject_t object) {
    return call("cudaGetTextureObjectResourceDesc", [&](Runtime&, Device& device) {
        const TextureObject* known = find_texture(device, object);
        if (resource == nullptr || known == nullptr) return cudaErrorInvalidValue;
        *resource = known->resource;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* how, cudaTextureObject_t object) {
    return call("cudaGetTextureObjectTextureDesc", [&](Runtime&, Device& device) {
        const TextureObject* known = find_texture(device, object);
        if (how == nullptr || known == nullptr) return cudaErrorInvalidValue;
        *how = known->how;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                                cudaTextureObject_t object) {
    return call("cudaGetTextureObjectResourceViewDesc", [&](Runtime&, Device& device) {
        if (view == nullptr || find_texture(device, object) == nullptr) return cudaErrorInvalidValue;
        *view = {};  // a texture with a view cannot be made
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                                   const cudaResourceDesc* resource) {
    return call("cudaCreateSurfaceObject",
                [&](Runtime&, Device& device) { return make_surface(device, object, resource); });
}

LANESCOPE_CUDA cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return call("cudaDestroySurfaceObject", [&](Runtime&, Device& device) {
        device.images().surfaces.erase(object);
        device.image_objects().remove_surface(object);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                                            cudaSurfaceObject_t object) {
    return call("cudaGetSurfaceObjectResourceDesc", [&](Runtime&, Device& device) {
        const auto found = device.images().surfaces.find(object);
        if (resource == nullptr || found == device.images().surfaces.end()) return cudaErrorInvalidValue;
        *resource = found->second;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* elements,
                                                                const cudaChannelFormatDesc* format, int) {
    return call("cudaDeviceGetTexture1DLinearMaxWidth", [&](Runtime&, Device&) {
        if (elements == nullptr || format == nullptr) return cudaErrorInvalidValue;
        if (!texel_format(*format)) return cudaErrorInvalidChannelDescriptor;
        *elements = most_linear_elements;
        return cudaSuccess;
    });
}
