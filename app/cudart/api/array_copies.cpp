// Copies from, to and between arrays, and of boxes.
#include "cudart/api/call.h"

using namespace lanescope;
using namespace lanescope::cudart;

namespace lanescope::cudart {

namespace {

// Rows and slices of memory, or of an array.
struct Plane {
    char* first = nullptr;  // a device address for arrays
    std::size_t pitch = 0, slice = 0;
};

char* place_in(const Array& array, std::size_t x_bytes, std::size_t y, std::size_t z) {
    return static_cast<char*>(pointer_to(array.image.address)) + z * array.image.slice_bytes +
           y * array.image.row_bytes + x_bytes;
}

// Whether the bytes [x, x + width) of the rows and slices lie in the array.
bool lies_in(const Array& array, std::size_t x, std::size_t y, std::size_t z, const cudaExtent& bytes) {
    const auto within = [](std::size_t first, std::size_t count, std::size_t size) {
        return first <= size && count <= size - first;
    };
    return within(x, bytes.width, array.image.row_bytes) && within(y, bytes.height, array.rows()) &&
           within(z, bytes.depth, array.slices());
}

cudaError_t copy_planes(Device& device, const Plane& to, const Plane& from, const cudaExtent& bytes,
                        cudaMemcpyKind kind) {
    const auto rows = [&](const Plane& plane) {
        return Rows{
            address_of(plane.first), bytes.width, plane.pitch, bytes.height, bytes.depth, plane.slice};
    };
    return copy_rows(device, rows(to), rows(from), kind);
}

bool known_kind(cudaMemcpyKind kind) {
    return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

// Rows between memory and the slice 0 of an array.
struct ArrayRows {
    cudaArray_const_t handle = nullptr;
    std::size_t x = 0, y = 0;  // bytes, rows
    char* memory = nullptr;
    std::size_t pitch = 0, width = 0, height = 0;
    bool to_array = true;
    cudaMemcpyKind kind = cudaMemcpyDefault;
};

cudaError_t copy_array_rows(Device& device, const ArrayRows& copy) {
    if (!known_kind(copy.kind)) return cudaErrorInvalidMemcpyDirection;
    const Array* array = device.images().array(copy.handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const bool device_end =
        copy.to_array ? copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice
                      : copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
    if (!device_end && copy.kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (copy.width == 0 || copy.height == 0) return cudaSuccess;
    if (copy.width > copy.pitch) return cudaErrorInvalidPitchValue;
    if (copy.memory == nullptr || !lies_in(*array, copy.x, copy.y, 0, {copy.width, copy.height, 1}))
        return cudaErrorInvalidValue;
    // A device's pointer may stand where the direction says that the host's does.
    const bool unified =
        copy.kind != cudaMemcpyDeviceToDevice && device.holds(address_of(copy.memory), copy.width);
    const Plane in_array{place_in(*array, copy.x, copy.y, 0), array->image.row_bytes, 0};
    const Plane in_memory{copy.memory, copy.pitch, 0};
    return copy_planes(device, copy.to_array ? in_array : in_memory, copy.to_array ? in_memory : in_array,
                       {copy.width, copy.height, 1}, unified ? cudaMemcpyDefault : copy.kind);
}

// Bytes in the order of the elements: the rest of a row, whole rows, and the beginning of a last one.
cudaError_t copy_array_run(Device& device, ArrayRows copy, std::size_t bytes) {
    const Array* array = device.images().array(copy.handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const std::size_t before = copy.y * array->image.row_bytes + copy.x;
    if (copy.x >= array->image.row_bytes || before > array->image.slice_bytes ||
        bytes > array->image.slice_bytes - before)
        return cudaErrorInvalidValue;
    while (bytes > 0) {
        const std::size_t rest = array->image.row_bytes - copy.x;
        copy.width = bytes < rest ? bytes : rest;
        copy.pitch = copy.width;
        copy.height = 1;
        if (const cudaError_t error = copy_array_rows(device, copy); error != cudaSuccess) return error;
        copy.memory += copy.width;
        bytes -= copy.width;
        copy.x = 0;
        ++copy.y;
    }
    return cudaSuccess;
}

// One end of a box.
cudaError_t end_of(Device& device, cudaArray_const_t handle, const cudaPitchedPtr& memory, const cudaPos& at,
                   const cudaExtent& bytes, Plane& plane) {
    if (handle == nullptr) {
        plane.pitch = memory.pitch;
        plane.slice = memory.pitch * memory.ysize;
        plane.first = static_cast<char*>(memory.ptr) + at.z * plane.slice + at.y * plane.pitch + at.x;
        return cudaSuccess;
    }
    const Array* array = device.images().array(handle);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const std::size_t x = at.x * array->element_bytes();
    if (!lies_in(*array, x, at.y, at.z, bytes)) return cudaErrorInvalidValue;
    plane = {place_in(*array, x, at.y, at.z), array->image.row_bytes, array->image.slice_bytes};
    return cudaSuccess;
}

cudaError_t copy_between(Device& device, cudaArray_const_t to, std::size_t to_x, std::size_t to_y,
                         cudaArray_const_t from, std::size_t from_x, std::size_t from_y, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
    const Array *target = device.images().array(to), *source = device.images().array(from);
    if (target == nullptr || source == nullptr) return cudaErrorInvalidResourceHandle;
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    const cudaExtent bytes{width, height, 1};
    if (!lies_in(*target, to_x, to_y, 0, bytes) || !lies_in(*source, from_x, from_y, 0, bytes))
        return cudaErrorInvalidValue;
    return copy_planes(device, {place_in(*target, to_x, to_y, 0), target->image.row_bytes, 0},
                       {place_in(*source, from_x, from_y, 0), source->image.row_bytes, 0}, bytes, kind);
}

cudaError_t submit_copy(Runtime& runtime, cudaStream_t stream, Work work, Parameters parameters = {}) {
    return runtime.submit(stream, {cudaGraphNodeTypeMemcpy, std::move(work), std::move(parameters)});
}

ArrayRows rows_to(cudaArray_t array, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                  std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return {array, x, y, static_cast<char*>(const_cast<void*>(from)), pitch, width, height, true, kind};
}
ArrayRows rows_from(void* to, std::size_t pitch, cudaArray_const_t array, std::size_t x, std::size_t y,
                    std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return {array, x, y, static_cast<char*>(to), pitch, width, height, false, kind};
}

}  // namespace

// The width of a box counts elements where an array takes part, else bytes.
cudaError_t copy_box(Device& device, const cudaMemcpy3DParms& box) {
    if (!known_kind(box.kind)) return cudaErrorInvalidMemcpyDirection;
    if ((box.srcArray != nullptr) == (box.srcPtr.ptr != nullptr) ||
        (box.dstArray != nullptr) == (box.dstPtr.ptr != nullptr))
        return cudaErrorInvalidValue;
    cudaExtent bytes = box.extent;
    const Array* source = device.images().array(box.srcArray);
    const Array* target = device.images().array(box.dstArray);
    if (source != nullptr && target != nullptr && source->element_bytes() != target->element_bytes())
        return cudaErrorInvalidValue;
    if (const Array* either = source != nullptr ? source : target) bytes.width *= either->element_bytes();
    Plane from, to;
    cudaError_t error = end_of(device, box.srcArray, box.srcPtr, box.srcPos, bytes, from);
    if (error == cudaSuccess) error = end_of(device, box.dstArray, box.dstPtr, box.dstPos, bytes, to);
    return error == cudaSuccess ? copy_planes(device, to, from, bytes, box.kind) : error;
}

}  // namespace lanescope::cudart

LANESCOPE_CUDA cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void* from,
                                               size_t pitch, size_t width, size_t height,
                                               cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpy2DToArray", [&](Runtime&, Device& device) {
        return copy_array_rows(device, rows_to(array, x, y, from, pitch, width, height, kind));
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* from,
                                                    size_t pitch, size_t width, size_t height,
                                                    cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpy2DToArrayAsync", [&](Runtime& runtime, Device&) {
        const ArrayRows copy = rows_to(array, x, y, from, pitch, width, height, kind);
        return submit_copy(runtime, stream, [copy](Device& target) { return copy_array_rows(target, copy); });
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t array, size_t x,
                                                 size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpy2DFromArray", [&](Runtime&, Device& device) {
        return copy_array_rows(device, rows_from(to, pitch, array, x, y, width, height, kind));
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t array,
                                                      size_t x, size_t y, size_t width, size_t height,
                                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpy2DFromArrayAsync", [&](Runtime& runtime, Device&) {
        const ArrayRows copy = rows_from(to, pitch, array, x, y, width, height, kind);
        return submit_copy(runtime, stream, [copy](Device& target) { return copy_array_rows(target, copy); });
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void* from,
                                             size_t bytes, cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpyToArray", [&](Runtime&, Device& device) {
        return copy_array_run(device, rows_to(array, x, y, from, 0, 0, 1, kind), bytes);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y, const void* from,
                                                  size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyToArrayAsync", [&](Runtime& runtime, Device&) {
        const ArrayRows copy = rows_to(array, x, y, from, 0, 0, 1, kind);
        return submit_copy(runtime, stream,
                           [=](Device& target) { return copy_array_run(target, copy, bytes); });
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t array, size_t x, size_t y,
                                               size_t bytes, cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpyFromArray", [&](Runtime&, Device& device) {
        return copy_array_run(device, rows_from(to, 0, array, x, y, 0, 1, kind), bytes);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t array, size_t x, size_t y,
                                                    size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyFromArrayAsync", [&](Runtime& runtime, Device&) {
        const ArrayRows copy = rows_from(to, 0, array, x, y, 0, 1, kind);
        return submit_copy(runtime, stream,
                           [=](Device& target) { return copy_array_run(target, copy, bytes); });
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                                    cudaArray_const_t from, size_t from_x, size_t from_y,
                                                    size_t width, size_t height, cudaMemcpyKind kind) {
    return waiting_call("cudaMemcpy2DArrayToArray", [&](Runtime&, Device& device) {
        return copy_between(device, to, to_x, to_y, from, from_x, from_y, width, height, kind);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box) {
    return waiting_call("cudaMemcpy3D", [&](Runtime&, Device& device) {
        return box == nullptr ? cudaErrorInvalidValue : copy_box(device, *box);
    });
}

LANESCOPE_CUDA cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
    return call("cudaMemcpy3DAsync", [&](Runtime& runtime, Device&) {
        if (box == nullptr) return cudaErrorInvalidValue;
        return submit_copy(
            runtime, stream, [copy = *box](Device& target) { return copy_box(target, copy); }, *box);
    });
}
