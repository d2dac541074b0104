// What instructions say of the values in registers and memory, for code whose compiler wrote no types.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ptx/module.h"

namespace lanescope::ptx {

// For each register, the type of number that the function takes it for: f16, f16x2, bf16, bf16x2, f32, f32x2
// or f64; Type::none where no instruction computes with it as with a floating-point number.
std::vector<Type> floating_registers(const Function& function);

// The type of the cells of each variable in memory, by its name: that of most accesses which say what they
// load or store, else an unsigned type as wide as most accesses. Addresses are followed through moves and
// sums within a function; variables that no access is known to reach are missing.
std::map<std::string, Type, std::less<>> accessed_types(const Module& module);

// The type of one number: f16 for f16x2.
Type part_of(Type packed);

}  // namespace lanescope::ptx
