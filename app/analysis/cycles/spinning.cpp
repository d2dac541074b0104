#include "analysis/cycles/spinning.h"

#include <set>

#include "ptx/module.h"
#include "ptx/register_use.h"

namespace lanescope::analysis {

namespace {

using ptx::Instruction;
using ptx::Mod;
using ptx::Op;

bool is_strong_load(const Instruction& made) {
    return made.op == Op::ld &&
           (made.has(Mod::volatile_) || made.has(Mod::relaxed) || made.has(Mod::acquire));
}
bool is_atomic(const Instruction& made) {
    return (ptx::info(made.op).flags & ptx::op_flag::atomic) != 0;
}
bool of_shared(const Instruction& made) {
    return made.space() == ptx::Space::shared || made.space() == ptx::Space::shared_cta;
}

// Whether a branch that goes on or ends the loop [first, last] depends on what other threads write meanwhile.
bool waits_for_others(const Code& code, std::uint32_t first, std::uint32_t last) {
    std::set<std::uint32_t> shared_values;
    bool through_shared = false;
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t pc = first; pc <= last; ++pc) {
            const Instruction& made = *code.at(pc);
            bool theirs = is_strong_load(made) || (is_atomic(made) && !of_shared(made)) ||
                          (made.op == Op::ld && of_shared(made) && through_shared);
            for (const std::uint32_t reg : ptx::reads(made))
                theirs = theirs || shared_values.contains(reg);
            if (!theirs) continue;
            if (made.op == Op::st && of_shared(made)) {
                for (const std::uint32_t reg : ptx::operand_reads(made))
                    if (!through_shared && shared_values.contains(reg)) more = through_shared = true;
            }
            for (const std::uint32_t reg : ptx::writes(made))
                more = shared_values.insert(reg).second || more;
        }
    }
    for (std::uint32_t pc = first; pc <= last; ++pc) {
        const Instruction& made = *code.at(pc);
        if (made.op != Op::bra || made.guard == ptx::no_index) continue;
        if (!shared_values.contains(made.guard)) continue;
        const ptx::Function& function = *code.function_at(pc);
        const std::uint32_t start = pc - static_cast<std::uint32_t>(&made - function.instructions.data());
        const std::uint32_t target = start + function.labels[made.operands[0].label].instruction;
        if (pc == last || target > last || target < first) return true;
    }
    return false;
}

}  // namespace

Refusal refusal_of(const Code& code, std::uint32_t first, std::uint32_t end) {
    const ptx::Function& function = *code.function_at(first);
    for (std::uint32_t pc = first; pc < end; ++pc) {
        const Instruction& made = *code.at(pc);
        const std::uint32_t line = code.program().code_rows[pc].line;
        if (made.op == Op::call)
            for (const ptx::Operand& operand : made.operands) {
                if (operand.name == "vprintf") return {"the kernel calls printf", line, first, end};
                if (operand.name.starts_with("cudaLaunchDevice") || operand.name.starts_with("__cudaCDP"))
                    return {"the kernel launches kernels", line, first, end};
            }
        if (made.op != Op::bra || made.operands.empty() || made.operands[0].label == ptx::no_index) continue;
        const std::uint32_t target = first + function.labels[made.operands[0].label].instruction;
        if (target <= pc && waits_for_others(code, target, pc))
            return {"a loop waits for what other threads write, which depends on their order", line, first,
                    end};
    }
    return {};
}

}  // namespace lanescope::analysis
