// Printing a module with something added.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ptx/module.h"

namespace lanescope::ptx {

struct PrintHooks {
    std::string prologue;  // behind the module's head
    bool sections = true;
    bool shared_at_module_scope =
        false;  // .shared variables of functions, whose names are unique in compilers' code
    // Add text to `out`: behind the first declarations of a function's body, before and after an instruction.
    // May be empty.
    std::function<void(std::string& out, std::uint32_t function)> enter;
    std::function<void(std::string&out, std::uint32_t function, std::uint32_t instruction)> before, after;
};
std::string print(const Module& module, const PrintHooks& hooks);

}  // namespace lanescope::ptx
