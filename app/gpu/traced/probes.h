// Chooses what a GPU records of a program: the points, the registers that hold variables, and the addresses
// that are needed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/instrument.h"
#include "ptx/module.h"
#include "simt/program/program.h"

namespace lanescope::gpu {

// Numbers of address records.
constexpr std::uint32_t shared_number = 0;           // + index into simt::Program::shared
constexpr std::uint32_t variable_number = 1u << 24;  // + index into simt::Program::variables
constexpr std::uint32_t local_number = 2u << 24;     // + index into ptx::Function::variables
constexpr std::uint32_t grid_barrier_number = 3u << 24;
constexpr std::uint32_t kernel_number = 4u << 24;  // + index into ptx::Module::functions
constexpr std::uint64_t grid_barrier_bytes = 8;    // its size and the barrier
// In a value record: an operand that the decoder needs, not a variable.
constexpr std::uint32_t operand_value = 1u << 31;

// A function of CUDA's runtime that kernels call: its arguments are recorded before the first of them is
// stored, its result where it is loaded.
struct CallProbe {
    simt::Builtin builtin = simt::Builtin::none;
    bool result = false;  // this is the place of the result
};

struct Probes {
    std::vector<ptx::FunctionProbe> functions;  // as ptx::Module::functions
    std::vector<bool> point;                    // per pc
    std::vector<std::uint8_t> access_bytes;     // per pc: of a recorded access; 0: none
    std::vector<std::uint8_t> operands;         // per pc: how many operands are recorded before it
    std::map<std::uint32_t, CallProbe> calls;   // per pc
    bool allocates = false;                     // threads allocate or free memory
    bool takes_addresses = false;               // of parameters
    bool traps = false;                         // an instruction of the program is a trap
    std::optional<ptx::GridSlots> grids;        // if kernels launch kernels
};

// Errors, each at its line of the source: instructions and calls whose effects are not recorded (asynchronous
// memory between devices, tensor copies, …). With `kernel`, a symbol, only this one will run:
// what it cannot reach may hold anything.
Result<Probes> make_probes(const ptx::Module& module, const simt::Program& program, const std::string& file,
                           const std::string& kernel = "");

}  // namespace lanescope::gpu
