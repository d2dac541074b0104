#include "gpu/interop/interop.h"

#if __has_include(<GL/gl.h>)
#include <cudaGL.h>
#endif

#include <array>
#include <utility>

namespace lanescope::gpu {

// cudaGL.h needs OpenGL's own header, which a machine for building may lack; driver_functions.def repeats its
// types.
#if __has_include(<GL/gl.h>)
static_assert(std::is_same_v<decltype(&::cuGraphicsGLRegisterBuffer),
                             decltype(DriverFunctions::graphics_gl_register_buffer)>);
static_assert(CU_GL_DEVICE_LIST_ALL == 1);
#endif

namespace {

constexpr int all_devices = 1;  // CU_GL_DEVICE_LIST_ALL

Diagnostic other_device(const std::string& why) {
    return error("OpenGL and CUDA are on different devices: " + why,
                 "OpenGL has to run on the NVIDIA GPU: install the driver's OpenGL libraries; where another "
                 "GPU draws, set __NV_PRIME_RENDER_OFFLOAD=1 and __GLX_VENDOR_LIBRARY_NAME=nvidia; until "
                 "then data are copied through the host");
}

std::string words_of(const Driver& driver, CUresult status) {
    const char* words = nullptr;
    return driver.get_error_string(status, &words) == CUDA_SUCCESS && words ? words : "unknown error";
}

}  // namespace

Result<int> interop_device(const Driver& driver) {
    unsigned count = 0;
    std::array<CUdevice, 16> devices{};
    const CUresult status =
        driver.gl_get_devices(&count, devices.data(), static_cast<unsigned>(devices.size()), all_devices);
    if (status == CUDA_SUCCESS && count > 0) {
        for (int ordinal = 0; ordinal < driver.device_count(); ++ordinal) {
            CUdevice device = 0;
            if (driver.device_get(&device, ordinal) == CUDA_SUCCESS && device == devices[0]) return ordinal;
        }
    }
    return other_device(status == CUDA_SUCCESS || status == CUDA_ERROR_NO_DEVICE
                            ? "the OpenGL context is on no CUDA device"
                            : "CUDA does not know the OpenGL context (" + words_of(driver, status) + ")");
}

Result<GlBuffer> GlBuffer::register_buffer(const Context& context, unsigned gl_buffer, GlAccess access) {
    const Driver& driver = context.driver();
    const CurrentContext current(*context.life());
    const Result<int> drawn_on = interop_device(driver);
    if (!drawn_on) return drawn_on.diagnostics();
    if (*drawn_on != context.device().ordinal)
        return other_device("OpenGL on CUDA device " + std::to_string(*drawn_on) + ", kernels on device " +
                            std::to_string(context.device().ordinal));
    const unsigned flags = access == GlAccess::kernel_overwrites ? CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD
                                                                 : CU_GRAPHICS_REGISTER_FLAGS_NONE;
    CUgraphicsResource resource = nullptr;
    const CUresult status = driver.graphics_gl_register_buffer(&resource, gl_buffer, flags);
    if (const Result<void> made = context.check(status, "registering an OpenGL buffer with CUDA"); !made)
        return made.diagnostics();
    return GlBuffer(context.life(), resource);
}

void GlBuffer::release() {
    if (life_ && life_->releases() && resource_) {
        if (const CurrentContext current(*life_); current) {
            if (mapped_) life_->driver->graphics_unmap_resources(1, &resource_, nullptr);
            life_->driver->graphics_unregister_resource(resource_);
        }
    }
    life_.reset();
    resource_ = nullptr;
    mapped_ = false;
}

GlBuffer::~GlBuffer() {
    release();
}

GlBuffer::GlBuffer(GlBuffer&& other) noexcept
    : life_(std::move(other.life_)),
      resource_(std::exchange(other.resource_, nullptr)),
      mapped_(std::exchange(other.mapped_, false)) {}

GlBuffer& GlBuffer::operator=(GlBuffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    life_ = std::move(other.life_);
    resource_ = std::exchange(other.resource_, nullptr);
    mapped_ = std::exchange(other.mapped_, false);
    return *this;
}

Result<GlBuffer::Mapping> GlBuffer::map(CUstream stream) {
    if (!life_ || !life_->handle) return error("this OpenGL buffer's CUDA context is gone");
    const Driver& driver = *life_->driver;
    const CurrentContext current(*life_);
    CUresult status = mapped_ ? CUDA_SUCCESS : driver.graphics_map_resources(1, &resource_, stream);
    mapped_ = status == CUDA_SUCCESS;
    Mapping mapping;
    if (status == CUDA_SUCCESS)
        status = driver.graphics_get_mapped_pointer(&mapping.address, &mapping.size_bytes, resource_);
    if (const Result<void> done = driver.check(status, "mapping an OpenGL buffer"); !done)
        return done.diagnostics();
    return mapping;
}

Result<void> GlBuffer::unmap(CUstream stream) {
    if (!mapped_) return {};
    mapped_ = false;
    if (!life_->handle) return error("this OpenGL buffer's CUDA context is gone");
    const CurrentContext current(*life_);
    return life_->driver->check(life_->driver->graphics_unmap_resources(1, &resource_, stream),
                                "giving a buffer back to OpenGL");
}

}  // namespace lanescope::gpu
