#include "simt/exec/selector.h"

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

Exec select_lane_by_lane(const ptx::Instruction& instruction, bool) {
    return selector().arithmetic(instruction);
}

}  // namespace

Exec select_none(const ptx::Instruction&, bool) {
    return nullptr;
}

Exec select_executor(const ptx::Instruction& instruction, bool traced) {
    using Select = Exec (*)(const ptx::Instruction&, bool);
    static constexpr Select by_opcode[] = {
#define LANESCOPE_OP(name, text, operands, flags, counted, flow, blocks, form, executor) &select_##executor,
#define LANESCOPE_LANE_OP(...) &select_lane_by_lane,
#include "ptx/opcodes.def"
    };
    return by_opcode[static_cast<std::size_t>(instruction.op)](instruction, traced);
}

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
