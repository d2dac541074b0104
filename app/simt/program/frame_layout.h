// Rows of a call frame: the local base, registers, parameters, results and parameter variables of the body.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "simt/program/program.h"

namespace lanescope::simt {

constexpr std::uint64_t no_copy = ~0ull;

struct FrameLayout {
    explicit FrameLayout(const ptx::Function& function);

    std::uint64_t frame_bytes = row8_bytes;  // the local base is the first row
    std::uint64_t local_bytes = 0;
    std::vector<Ref> registers;
    std::uint32_t registers_end = 0;
    std::vector<Slot> parameters, results;     // of a .func
    Ref scratch[2] = {no_ref, no_ref};         // narrow rows without a register
    std::vector<Slot> variables;               // .param variables of the body
    std::vector<std::uint64_t> local_offsets;  // of .local variables of the body; ~0 for others
    // Where the parameters of a .func whose addresses are taken are copied to in local memory.
    std::vector<std::uint64_t> parameter_copies;

  private:
    std::uint32_t take(std::uint64_t bytes);
    std::uint64_t take_local(const ptx::Variable& variable);
    void place_copies(const ptx::Function& function);
    Slot slot_for(const ptx::Variable& variable, std::uint32_t& next_register);
};

// Joins the zeroed parts of a frame: rows of the registers that are marked, and everything behind the
// registers.
std::vector<std::pair<std::uint32_t, std::uint32_t>> zeroed_parts(const ptx::Function& function,
                                                                  const FrameLayout& layout,
                                                                  const std::vector<bool>& marked);

// The rows of a register's lanes; a register of 128 bits is two rows of 8-byte lanes, the low half first.
std::uint32_t register_bytes(ptx::Type type);
bool is_wide(ptx::Type type);  // registers of this type have 8-byte lanes

}  // namespace lanescope::simt
