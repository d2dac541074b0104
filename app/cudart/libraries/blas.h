// The system's BLAS, opened at run time, by the names of its Fortran interface.
#pragma once

namespace lanescope::cudart {

// The function of this name without its underscore: "sgemm". Null: no BLAS is installed.
void* blas_function(const char* name);

template <class Function>
Function* blas(const char* name) {
    return reinterpret_cast<Function*>(blas_function(name));
}

}  // namespace lanescope::cudart
