#include "simt/lanewise/selector.h"

#include <atomic>

namespace lanescope::simt {

inline namespace baseline {
const Selector* isa_selector();
}
#ifdef LANESCOPE_SIMT_AVX2
namespace avx2 {
const Selector* isa_selector();
}
#endif

namespace {

std::atomic<const Selector*> chosen_selector{nullptr};

const Selector& best_selector() {
#ifdef LANESCOPE_SIMT_AVX2
    static const bool fits = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                             __builtin_cpu_supports("popcnt");
    if (fits) return *avx2::isa_selector();
#endif
    return baseline_selector();
}

}  // namespace

const Selector& baseline_selector() {
    return *baseline::isa_selector();
}

void choose_selector(const Selector* chosen) {
    chosen_selector.store(chosen, std::memory_order_relaxed);
}

const Selector& selector() {
    const Selector* chosen = chosen_selector.load(std::memory_order_relaxed);
    return chosen != nullptr ? *chosen : best_selector();
}

}  // namespace lanescope::simt
