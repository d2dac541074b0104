// CUDA's arrays: memory for textures and surfaces, and what is known of it.
#include <algorithm>

#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

struct Most {
    std::size_t width, height, depth;
};

// The largest arrays of compute capability 9.0 (CUDA C++ Programming Guide, technical specifications).
Most most_of(const cudaExtent& extent, unsigned flags) {
    const bool layered = (flags & cudaArrayLayered) != 0;
    if ((flags & cudaArrayCubemap) != 0) return {32768, 32768, layered ? std::size_t{2046} : std::size_t{6}};
    if (layered) return {32768, extent.height == 0 ? std::size_t{0} : std::size_t{32768}, 2048};
    if (extent.depth != 0) return {16384, 16384, 16384};
    if (extent.height == 0) return {131072, 0, 0};
    if ((flags & cudaArrayTextureGather) != 0) return {32768, 32768, 0};
    return {131072, 65536, 0};
}

bool shape_is_sound(const cudaExtent& extent, unsigned flags) {
    if (extent.width == 0 || (flags & ~known_flags) != 0) return false;
    const bool layered = (flags & cudaArrayLayered) != 0;
    if (layered && extent.depth == 0) return false;
    if (!layered && extent.depth != 0 && extent.height == 0) return false;
    if ((flags & cudaArrayCubemap) != 0 && (extent.width != extent.height || extent.depth % 6 != 0 ||
                                            extent.depth == 0 || (!layered && extent.depth != 6)))
        return false;
    if ((flags & cudaArrayTextureGather) != 0 && (extent.height == 0 || extent.depth != 0)) return false;
    const Most most = most_of(extent, flags);
    return extent.width <= most.width && extent.height <= most.height && extent.depth <= most.depth;
}

cudaError_t make_array(Device& device, cudaArray_t* handle, const cudaChannelFormatDesc* format,
                       const cudaExtent& extent, unsigned flags) {
    if (handle == nullptr || format == nullptr) return cudaErrorInvalidValue;
    const auto texel = texel_format(*format);
    if (!texel) return cudaErrorInvalidChannelDescriptor;
    if (!shape_is_sound(extent, flags)) return cudaErrorInvalidValue;
    Array array{*format, extent, flags, image_of(*texel, extent, flags)};
    const auto address =
        device.allocate(array.image.slice_bytes * array.image.depth, Block::Kind::array, flags);
    if (!address) return cudaErrorMemoryAllocation;
    array.image.address = *address;
    *handle = device.images().add(array);
    return cudaSuccess;
}

}  // namespace

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                           size_t width, size_t height, unsigned flags) {
    return call("cudaMallocArray", [&](Runtime&, Device& device) {
        return make_array(device, array, format, {width, height, 0}, flags);
    });
}

LANESCOPE_CUDA cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                             cudaExtent extent, unsigned flags) {
    return call("cudaMalloc3DArray",
                [&](Runtime&, Device& device) { return make_array(device, array, format, extent, flags); });
}

LANESCOPE_CUDA cudaError_t cudaFreeArray(cudaArray_t handle) {
    return waiting_call("cudaFreeArray", [&](Runtime&, Device& device) {
        if (handle == nullptr) return cudaSuccess;
        const Array* array = device.images().array(handle);
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        device.release(array->image.address);
        device.images().arrays.erase(handle);
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t handle) {
    return call("cudaGetChannelDesc", [&](Runtime&, Device& device) {
        const Array* array = device.images().array(handle);
        if (format == nullptr) return cudaErrorInvalidValue;
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        *format = array->format;
        return cudaSuccess;
    });
}

LANESCOPE_CUDA cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent,
                                            unsigned* flags, cudaArray_t handle) {
    return call("cudaArrayGetInfo", [&](Runtime&, Device& device) {
        const Array* array = device.images().array(handle);
        if (array == nullptr) return cudaErrorInvalidResourceHandle;
        if (format != nullptr) *format = array->format;
        if (extent != nullptr) *extent = array->extent;
        if (flags != nullptr) *flags = array->flags;
        return cudaSuccess;
    });
}
