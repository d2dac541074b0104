// The name and the parameters of a kernel as its source wrote them, as far as the PTX or the source tells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace lanescope::execution {

// A parameter of the source. An array of Numba's is several parameters of the PTX.
struct SourceParameter {
    std::string name;      // unique; "p3" where it is not known
    std::string type;      // of a buffer's elements or of the number, as buffers name it; empty: unknown
    bool pointer = false;  // only where the type is known
    std::uint32_t dimensions = 0;  // of an array of Numba's; 0: it is not one
    std::uint32_t first = 0;       // of its parameters in the PTX
    std::uint32_t count = 1;
};

struct KernelName {
    std::string shown;   // "vector_add"
    std::string symbol;  // mangled
};

// The kernels of the module in their order. Equal names are told apart by their symbols.
std::vector<KernelName> kernel_names(const ptx::Module& module);

struct SourceSignature {
    std::vector<SourceParameter> parameters;
    bool names_known = false, types_known = false;
};

// `source`: the text of the file that defines the kernel, if it is there.
SourceSignature signature_of(const ptx::Function& kernel, const std::string& source);

}  // namespace lanescope::execution
