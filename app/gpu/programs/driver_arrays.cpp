#include "gpu/programs/driver_arrays.h"

namespace lanescope::gpu {

Result<void> DriverArrays::copy(std::uint64_t handle, const simt::Image& image, TraceDevice::Address memory,
                                bool back) {
    const CurrentContext current(*context_.life());
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = back ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY;
    copy.dstMemoryType = back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
    (back ? copy.dstArray : copy.srcArray) = reinterpret_cast<CUarray>(handle);
    (back ? copy.srcDevice : copy.dstDevice) = memory;
    (back ? copy.srcPitch : copy.dstPitch) = image.row_bytes;
    (back ? copy.srcHeight : copy.dstHeight) = image.height;
    copy.WidthInBytes = image.row_bytes;
    copy.Height = image.height;
    copy.Depth = image.depth;
    const Driver& driver = context_.driver();
    CUresult status = driver.memcpy_3d_async(&copy, context_.stream());
    if (status == CUDA_SUCCESS) status = driver.stream_synchronize(context_.stream());
    return context_.check(status, "copying an array of the program");
}

}  // namespace lanescope::gpu
