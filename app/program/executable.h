// Which CUDA runtime an executable was linked with.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lanescope::program {

enum class LinkedRuntime : std::uint8_t {
    unknown,        // a script, a stripped program, or code that lies in a library
    shared,         // libcudart.so
    in_the_program  // libcudart_static.a: no library can take its place
};

LinkedRuntime linked_runtime(const std::filesystem::path& executable);

}  // namespace lanescope::program
