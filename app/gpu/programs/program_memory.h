// The memory of a program, as its calls of CUDA's runtime tell it: buffers, arrays, texture and
// surface objects, and variables.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cudart/runtime/host_events.h"

namespace lanescope::gpu {

struct ProgramBlock {
    std::uint64_t address = 0, size_bytes = 0;
    const char* kind = "device";  // "managed", "pinned", "registered"
    std::uint64_t number = 0;     // counts from 0
};

// One of CUDA's arrays. Where its elements lie is the driver's; here they are rows without gaps.
struct ProgramArray {
    cudaChannelFormatDesc format{};
    cudaExtent extent{};  // as given: a height or depth of 0 says that there is none
    unsigned flags = 0;
    std::uint64_t number = 0;  // counts with the blocks

    std::uint64_t element_bytes() const;
    std::uint64_t row_bytes() const { return extent.width * element_bytes(); }
    std::uint64_t slice_bytes() const;
    std::uint64_t size_bytes() const;
};

struct ProgramTexture {
    cudaResourceDesc resource{};
    cudaTextureDesc how{};
    bool viewed = false;  // through a resource view
};

class ProgramMemory {
  public:
    // Returns the number of the new block or array.
    std::uint64_t add(std::uint64_t address, std::uint64_t size_bytes, const char* kind);
    std::uint64_t add_array(cudaArray_const_t handle, const ProgramArray& array);
    // Memory that only a graph can access: it has a number, and is not a block.
    std::uint64_t add_of_graph() { return allocations_++; }
    // Returns the number; none: it is not known.
    std::optional<std::uint64_t> remove(std::uint64_t address);
    std::optional<std::uint64_t> remove_array(cudaArray_const_t handle);
    void add_texture(cudaTextureObject_t handle, const ProgramTexture& texture) {
        textures_[handle] = texture;
    }
    void remove_texture(cudaTextureObject_t handle) { textures_.erase(handle); }
    void add_surface(cudaSurfaceObject_t handle, const cudaResourceDesc& resource) {
        surfaces_[handle] = resource;
    }
    void remove_surface(cudaSurfaceObject_t handle) { surfaces_.erase(handle); }
    void add_variable(std::uint64_t address, std::uint64_t size_bytes, const std::string& name);
    void clear();  // after cudaDeviceReset

    const std::map<std::uint64_t, ProgramBlock>& blocks() const { return blocks_; }
    const std::map<cudaArray_const_t, ProgramArray>& arrays() const { return arrays_; }
    const std::map<cudaTextureObject_t, ProgramTexture>& textures() const { return textures_; }
    const std::map<cudaSurfaceObject_t, cudaResourceDesc>& surfaces() const { return surfaces_; }
    // What an address belongs to; the host's own memory if nothing here has it.
    cudart::HostEnd end_of(const void* pointer) const;
    cudart::HostEnd end_of(cudaArray_const_t handle, std::uint64_t x_bytes, std::uint64_t y,
                           std::uint64_t z = 0) const;

  private:
    struct Variable {
        std::uint64_t size_bytes = 0;
        std::string name;
    };
    std::map<std::uint64_t, ProgramBlock> blocks_;  // live ones by address
    std::map<cudaArray_const_t, ProgramArray> arrays_;
    std::map<cudaTextureObject_t, ProgramTexture> textures_;
    std::map<cudaSurfaceObject_t, cudaResourceDesc> surfaces_;
    std::map<std::uint64_t, Variable> variables_;  // whose address is known
    std::uint64_t allocations_ = 0;
};

}  // namespace lanescope::gpu
