#include "analysis/cycles/spinning.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "ptx/cfg.h"
#include "ptx/loops.h"
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

// The instructions of a function with its loops.
class Loops {
  public:
    Loops(const Code& code, std::uint32_t first, std::uint32_t end)
        : code_(code),
          first_(first),
          end_(end),
          function_(*code.function_at(first)),
          cfg_(ptx::build_cfg(function_)),
          nest_(ptx::find_loops(cfg_)) {}

    // The line of a loop whose next round depends on what other threads write meanwhile; nothing: none does.
    std::optional<std::uint32_t> waiting_line() const {
        for (std::uint32_t loop = 0; loop < nest_.loops.size(); ++loop)
            if (const auto pc = waiting_branch(loop)) return code_.program().code_rows[*pc].line;
        return std::nullopt;
    }

  private:
    bool is_within(std::uint32_t pc, std::uint32_t loop) const {
        std::uint32_t at = nest_.inner[cfg_.block_of[pc - first_]];
        while (at != ptx::no_index && at != loop)
            at = nest_.loops[at].parent;
        return at == loop;
    }
    std::uint32_t target_of(const Instruction& branch) const {
        const std::uint32_t label = branch.operands.empty() ? ptx::no_index : branch.operands[0].label;
        return label == ptx::no_index ? end_ : first_ + function_.labels[label].instruction;
    }

    std::optional<std::uint32_t> waiting_branch(std::uint32_t loop) const {
        const Values values = values_of_others(loop);
        for (std::uint32_t pc = first_; pc < end_; ++pc) {
            const Instruction& made = *code_.at(pc);
            if (!is_within(pc, loop) || made.op != Op::bra || !values.registers.contains(made.guard))
                continue;
            const std::uint32_t target = target_of(made);
            const bool back = target < end_ && cfg_.block_of[target - first_] == nest_.loops[loop].header;
            const bool leaves =
                target >= end_ || !is_within(target, loop) || pc + 1 >= end_ || !is_within(pc + 1, loop);
            if (back || leaves) return pc;
        }
        return std::nullopt;
    }

    struct Values {
        std::set<std::uint32_t> registers;
        bool in_shared = false;  // shared memory has such values
    };
    // What depends on memory that other threads change: through registers, shared memory, and branches.
    Values values_of_others(std::uint32_t loop) const {
        Values values;
        for (bool more = true; more;) {
            more = false;
            std::uint32_t skipped_to = 0;  // by a branch that depends on such a value
            for (std::uint32_t pc = first_; pc < end_; ++pc) {
                if (!is_within(pc, loop)) continue;
                const Instruction& made = *code_.at(pc);
                bool theirs = pc < skipped_to || is_strong_load(made) ||
                              (is_atomic(made) && !of_shared(made)) ||
                              (made.op == Op::ld && of_shared(made) && values.in_shared);
                for (const std::uint32_t reg : ptx::reads(made))
                    theirs = theirs || values.registers.contains(reg);
                if (!theirs) continue;
                if (made.op == Op::bra)
                    skipped_to = std::max(skipped_to, target_of(made) < end_ ? target_of(made) : 0);
                if (made.op == Op::st && of_shared(made))
                    more = !std::exchange(values.in_shared, true) || more;
                for (const std::uint32_t reg : ptx::writes(made))
                    more = values.registers.insert(reg).second || more;
            }
        }
        return values;
    }

    const Code& code_;
    std::uint32_t first_, end_;
    const ptx::Function& function_;
    ptx::Cfg cfg_;
    ptx::LoopNest nest_;
};

}  // namespace

Refusal refusal_of(const Code& code, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t pc = first; pc < end; ++pc) {
        const Instruction& made = *code.at(pc);
        const std::uint32_t line = code.program().code_rows[pc].line;
        if (made.op == Op::call)
            for (const ptx::Operand& operand : made.operands) {
                if (operand.name == "vprintf") return {"the kernel calls printf", line, first, end};
                if (operand.name.starts_with("cudaLaunchDevice") || operand.name.starts_with("__cudaCDP"))
                    return {"the kernel launches kernels", line, first, end};
            }
    }
    if (const auto line = Loops(code, first, end).waiting_line())
        return {"a loop waits for what other threads write, which depends on their order", *line, first, end};
    return {};
}

}  // namespace lanescope::analysis
