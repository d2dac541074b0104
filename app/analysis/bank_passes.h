// The passes of one request to shared memory. Lanes of one pass wait for each other where they need different
// words of one bank; lanes of different passes do not. banks() (metrics.h) counts by the same rule.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/metrics.h"

namespace lanescope::analysis {

struct BankPass {
    trace::Mask lanes = 0;    // a warp; of 8-byte accesses a half or all, of 16-byte a quarter or half
    unsigned wavefronts = 0;  // 1: no conflict; n: n words of one bank
    std::array<std::uint8_t, 32> words{};  // different ones of each bank
};
std::vector<BankPass> bank_passes(const trace::Access& access, Addressing addressing);

}  // namespace lanescope::analysis
