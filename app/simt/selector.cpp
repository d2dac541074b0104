#include "simt/selector.h"

namespace lanescope::simt {

namespace baseline {
const Selector* isa_selector();
}
#ifdef LANESCOPE_SIMT_AVX2
namespace avx2 {
const Selector* isa_selector();
}
#endif

const Selector& baseline_selector() { return *baseline::isa_selector(); }

const Selector& selector() {
#ifdef LANESCOPE_SIMT_AVX2
    static const bool fits = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (fits) return *avx2::isa_selector();
#endif
    return baseline_selector();
}

}  // namespace lanescope::simt
