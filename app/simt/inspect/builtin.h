// Functions that the machine itself provides, and those of CUDA's device runtime.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/module.h"

namespace lanescope::simt {

enum class Builtin : std::uint8_t {
    none,
    printf,
    assertion,
    allocate,
    release,
    // CUDA's device runtime
    parameter_buffer,
    launch_device,
    last_error,
    peek_error,
    create_stream,
    destroy_stream,
    device_number,
    device_count,
    cuda_malloc,
    cuda_free,
    error_name,
    error_text,
    missing  // a function of the device runtime that is not there
};

Builtin builtin_of(const ptx::Function& function);
// The device runtime's functions as a program calls them: cudaMalloc, not __cudaCDP2Malloc.
std::string user_name(const std::string& symbol);

}  // namespace lanescope::simt
