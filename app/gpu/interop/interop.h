// OpenGL buffers that kernels read and write in place. A buffer comes as OpenGL's number for it; the OpenGL
// context that it belongs to must be current on the calling thread.
#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "gpu/driver/context.h"

namespace lanescope::gpu {

// CUDA's number of the device that the current OpenGL context draws on. Error: the device is not a CUDA
// device (software rendering, another vendor's GPU); buffers must then be copied through the host.
Result<int> interop_device(const Driver& driver);

enum class GlAccess { read_write, kernel_overwrites };  // the latter: the old contents need not be kept

// A buffer registered with CUDA. While it is mapped, OpenGL must not use it.
class GlBuffer {
  public:
    // Error: OpenGL and the context are on different devices; no such buffer, or it has no storage.
    static Result<GlBuffer> register_buffer(const Context& context, unsigned gl_buffer,
                                            GlAccess access = GlAccess::read_write);
    ~GlBuffer();
    GlBuffer(GlBuffer&& other) noexcept;
    GlBuffer& operator=(GlBuffer&& other) noexcept;

    struct Mapping {
        CUdeviceptr address = 0;
        std::size_t size_bytes = 0;
    };
    // Waits, on the GPU, for OpenGL's earlier work on the buffer.
    Result<Mapping> map(CUstream stream = nullptr);
    // Makes the kernels' writes visible to OpenGL's later work. Does nothing without a mapping.
    Result<void> unmap(CUstream stream = nullptr);
    bool mapped() const { return mapped_; }

  private:
    GlBuffer(std::shared_ptr<ContextLife> life, CUgraphicsResource resource)
        : life_(std::move(life)), resource_(resource) {}
    void release();

    std::shared_ptr<ContextLife> life_;
    CUgraphicsResource resource_ = nullptr;
    bool mapped_ = false;
};

}  // namespace lanescope::gpu
