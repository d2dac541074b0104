// Paths of control in a function.
#pragma once

#include <cstdint>
#include <span>

#include "simt/program/program.h"

namespace lanescope::simt {

// The step of a caller to which moves, jumps and returns alone lead from a place in a library's function.
struct StepOfCaller {
    std::uint32_t line = 0;   // 0: there is more to do before
    std::size_t returns = 0;  // how many functions it leaves
};
// `return_pcs`: where the function returns to, then where its caller does. After a barrier in a library's
// function, the return from it becomes part of that step, so that the line of the barrier does not come
// twice.
StepOfCaller step_of_caller(const Program& program, const Decoded* code, std::uint32_t pc,
                            std::span<const std::uint32_t> return_pcs);

// Whether control can get from one instruction of a function to another.
bool reaches(const Program& program, const Decoded* code, std::uint32_t from, std::uint32_t to);

}  // namespace lanescope::simt
