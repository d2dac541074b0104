// How many registers a thread of each kernel uses, from its machine code.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lanescope::session {

// By the kernel's symbol. `cubin`: an ELF file of NVIDIA's assembler. Empty if it is damaged.
std::map<std::string, int> registers_of(std::string_view cubin);

}  // namespace lanescope::session
