// The functions of CUDA's runtime itself, behind those of the same names that this library has.
#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

// LANESCOPE_REAL(cudaMalloc)(&pointer, bytes); null where the program's runtime has no such function.
#define LANESCOPE_REAL(name)                                                                    \
    ([] {                                                                                       \
        static const auto found = reinterpret_cast<decltype(&::name)>(dlsym(RTLD_NEXT, #name)); \
        return found;                                                                           \
    }())
