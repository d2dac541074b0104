// What the code of a kernel does with its parameters. The parameters of PTX have a size, but no meaning: a
// number may be an address, a size or a factor.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/debug_info.h"
#include "ptx/module.h"

namespace lanescope::execution {

// A part of the parameters that the kernel loads at once. The words of a structure are several of one
// parameter.
struct ParameterWord {
    std::uint32_t parameter = 0;
    std::uint64_t offset = 0;  // bytes, in the parameter
    std::uint32_t bytes = 8;
    bool loaded = false;   // the code uses it
    bool address = false;  // memory is accessed there
    bool real = false;     // it is used as a floating-point number
    bool size = false;     // something is compared with it, or divided by it
    bool stride = false;   // something is multiplied by it
    // How memory is accessed at an address.
    ptx::Type element = ptx::Type::none;
    std::uint32_t width_bytes = 0;                        // of the widest access
    bool read = false, written = false, updated = false;  // updated: by atomic operations
};

// The block's index, by axis.
struct AxisFacts {
    bool used = false;
    std::optional<std::int64_t> tile;  // it is multiplied by this constant
    bool times_block = false;          // or by the block's extent
    bool divided = false;              // it stands for indices of several axes
    std::vector<std::size_t> sizes;    // the words of the limit that indices made of it are compared with
};

struct KernelFacts {
    std::vector<ParameterWord> words;  // by parameter, then by offset; every parameter has at least one
    std::array<AxisFacts, 3> blocks;
    std::array<bool, 3> threads{};  // which axes of the thread's index are used
    bool half_matrices = false;     // it multiplies matrices of f16
    bool grid_barrier = false;  // it asks for the whole grid as a group, which only a cooperative launch has
    bool dynamic_shared = false;  // it uses shared memory whose size the launch gives
    bool shared = false;          // it uses shared memory
    bool block_barrier = false;   // it has barriers of the block, or in shared memory
    bool grid_extent = false;     // it reads how many blocks there are
    bool atomic = false;          // it has atomic operations
    bool warp_wide = false;       // it has operations of whole warps, or reads the lane's index
};

// An analysis without control flow: of all values that a register may hold. A call's results are made of its
// arguments and of the indices that any function reads; of functions of a library, which `debug` tells apart,
// those along x.
KernelFacts facts_of(const ptx::Module& module, const ptx::Function& kernel,
                     const ptx::DebugInfo* debug = nullptr);

}  // namespace lanescope::execution
