#include "analysis/barrier_points.h"

#include "ptx/module.h"

namespace lanescope::analysis {
namespace {

bool waits(const ptx::Instruction* instruction) {
    if (instruction == nullptr) return false;
    const bool arrives_only =
        instruction->op == ptx::Op::bar_arrive || instruction->op == ptx::Op::barrier_arrive;
    return (ptx::info(instruction->op).flags & ptx::op_flag::barrier) != 0 && !arrives_only;
}

bool step_waits(const Code& code, std::uint32_t pc) {
    const trace::Program& program = code.program();
    const std::uint32_t function = program.code_rows[pc].function, line = program.code_rows[pc].line;
    for (; pc < program.code_rows.size(); ++pc) {
        const trace::CodeRow& row = program.code_rows[pc];
        if (row.function != function || (row.line != line && row.line != 0)) return false;
        if (waits(code.at(pc))) return true;
    }
    return false;
}

}  // namespace

std::vector<bool> barrier_points(const trace::Trace& trace, const Code& code, std::uint32_t launch) {
    std::vector<bool> points(trace.program.code_rows.size());
    bool any = false;
    const trace::Launch& of = trace.launches[launch];
    for (std::uint64_t i = of.first_turn; i < of.end_turn; ++i) {
        const trace::Turn& turn = trace.turns[i];
        if (turn.end != trace::TurnEnd::barrier || turn.pc >= points.size()) continue;
        points[turn.pc] = any = true;
    }
    if (any) return points;
    for (std::uint32_t pc = 0; pc < points.size(); ++pc)
        points[pc] = step_waits(code, pc);
    return points;
}

}  // namespace lanescope::analysis
