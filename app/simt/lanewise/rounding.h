// Executors under a rounding direction.
#pragma once

#include <cfenv>

#include "simt/lanewise/exec.h"

namespace lanescope::simt {
LANESCOPE_SIMT_ISA_BEGIN

// The rounding direction is set around the loop over the lanes: fesetround is opaque, so that no operation
// moves across.
template <int direction, Exec inner>
void rounded(Warp& warp, const Decoded& decoded, Mask mask) {
    std::fesetround(direction);
    inner(warp, decoded, mask);
    std::fesetround(FE_TONEAREST);
}
template <Exec inner>
Exec with_rounding(const ptx::Instruction& instruction) {
    if (instruction.has(ptx::Mod::rz)) return &rounded<FE_TOWARDZERO, inner>;
    if (instruction.has(ptx::Mod::rm)) return &rounded<FE_DOWNWARD, inner>;
    if (instruction.has(ptx::Mod::rp)) return &rounded<FE_UPWARD, inner>;
    return inner;
}

LANESCOPE_SIMT_ISA_END
}  // namespace lanescope::simt
