// Which kernels a source text defines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

// A kernel that a source text defines. find_kernels() skips comments, strings and preprocessor lines and
// qualifies names with their namespaces.
struct KernelSignature {
    std::string name;
    std::vector<std::string> template_parameters;  // "typename T", "int block"; empty if not a template
    struct Param {
        std::string type;  // "const int*"
        std::string name;
    };
    std::vector<Param> params;
    bool two_dimensional = false;  // the body uses threadIdx.y or blockIdx.y
    bool three_dimensional = false;
    std::string most_threads;                  // of __launch_bounds__(512); empty: not stated
    std::vector<std::string> cluster;          // blocks, of __cluster_dims__(2, 1, 1); empty: not stated
    std::size_t body_begin = 0, body_end = 0;  // bytes [begin, end) of the source, with the braces
    int line = 0;
};
std::vector<KernelSignature> find_kernels(std::string_view source);

}  // namespace lanescope::lesson
