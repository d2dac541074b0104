// Prints a module with added text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ptx/module.h"

namespace lanescope::ptx {

struct PrintHooks {
    std::string prologue;  // after the module's header
    bool sections = true;
    bool shared_at_module_scope = false;  // moves functions' .shared variables; names must be unique
    bool declares_functions = false;      // all that are not kernels, before the first of them
    // These append text to `out` after the first declarations of a function's body, and before and after an
    // instruction. They may be empty.
    std::function<void(std::string& out, std::uint32_t function)> enter;
    std::function<void(std::string&out, std::uint32_t function, std::uint32_t instruction)> before, after;
};
std::string print(const Module& module, const PrintHooks& hooks);

}  // namespace lanescope::ptx
