// What a program registers before main(): its modules, and the host's names of kernels and variables.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace lanescope::cudart {

struct RegisteredModule {
    std::vector<const void*> fat_binaries;  // several: relocatable code that is still to be linked
    bool live = true;
};

struct RegisteredFunction {
    std::size_t module = 0;
    std::string symbol;                  // mangled
    int most_dynamic_shared = 48 << 10;  // cudaFuncAttributeMaxDynamicSharedMemorySize, less what is static
    bool opted_in = false;
    trace::Dim3 required_cluster{0, 0, 0};  // attributes that cudaFuncSetAttribute sets
    bool large_clusters = false;            // beyond the portable size
    int cluster_policy = 0;
};

struct RegisteredVariable {
    std::size_t module = 0;
    std::string symbol;
    std::size_t size_bytes = 0;
    bool constant = false;
    void** managed = nullptr;  // where the host keeps the address; null: not managed
};

struct Registry {
    std::vector<std::unique_ptr<RegisteredModule>> modules;  // a handle points to its pointer
    std::map<const void*, RegisteredFunction> functions;     // by the host's stub
    std::map<const void*, RegisteredVariable> variables;     // by the host's shadow variable
};

// Adds the module behind the wrapper that nvcc generates (fatbinary_section.h); its number.
std::size_t add_module(Registry& registry, const void* wrapper);

}  // namespace lanescope::cudart
