// Named variables that live in registers: where each lane's variable is, its value, and what changed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simt/memory/lanes.h"
#include "simt/program/program.h"

namespace lanescope::trace {
class Recorder;
}

namespace lanescope::simt {

// The variables of one call frame. A variable has no value until a register in which it lives was written in
// this frame.
struct FrameVariables {
    struct Value {
        std::array<std::uint64_t, warp_size> bits{};
        Mask set = 0;
    };
    std::vector<Value> slots;
    std::vector<Mask> homes;    // per pair (variable, register): lanes whose variable lives there
    std::vector<Mask> written;  // per watched register

    void reset(const DecodedFunction& function, Mask lanes);
    static std::uint64_t cost_of(const DecodedFunction& function);
};

// Lanes reach the start of a range in which variables live in other registers.
void bind_variables(Warp& warp, const std::vector<std::uint32_t>& pairs, trace::Recorder& recorder);
// An instruction wrote these watched registers.
void note_writes(Warp& warp, const std::vector<std::uint32_t>& registers, Mask lanes,
                 trace::Recorder& recorder);

}  // namespace lanescope::simt
