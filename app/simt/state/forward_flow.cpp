#include "simt/state/forward_flow.h"

#include <utility>
#include <vector>

#include "simt/state/launch_context.h"

namespace lanescope::simt {
namespace {

template <class Visit>
void for_each_successor(const Program& program, const Decoded* code, std::uint32_t pc, Visit visit) {
    const bool always = (code[pc].flags & decoded_flag::guarded) == 0;
    const ptx::Op op = program.ops[pc];
    if (op == ptx::Op::bra) visit(code[pc].target);
    if (op == ptx::Op::brx_idx)
        for (const std::uint32_t target : program.branch_tables[code[pc].target])
            visit(target);
    const bool ends =
        op == ptx::Op::bra || op == ptx::Op::brx_idx || op == ptx::Op::ret || op == ptx::Op::exit;
    if (!always || !ends) visit(pc + 1);
}

}  // namespace

StepOfCaller step_of_caller(const Program& program, const Decoded* code, std::uint32_t pc,
                            std::span<const std::uint32_t> return_pcs) {
    constexpr unsigned most_instructions = 64;
    std::size_t returns = 0;
    for (unsigned i = 0; i < most_instructions; ++i) {
        const bool in_caller = program.functions[program.function_of(pc)].has_steps;
        if (in_caller && (returns == 0 || code[pc].line != 0)) return {code[pc].line, returns};
        if ((code[pc].flags & decoded_flag::flow_only) == 0) return {};
        const ptx::Op op = program.ops[pc];
        if (op != ptx::Op::ret) {
            pc = op == ptx::Op::bra ? code[pc].target : pc + 1;
        } else if (!in_caller && returns < return_pcs.size()) {
            pc = return_pcs[returns++];
        } else {
            return {};
        }
    }
    return {};
}

bool reaches(const Program& program, const Decoded* code, std::uint32_t from, std::uint32_t to) {
    const DecodedFunction& function = program.functions[program.function_of(from)];
    std::vector<bool> seen(function.end_pc - function.first_pc);
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
        const std::uint32_t pc = open.back();
        open.pop_back();
        if (pc == to) return true;
        for_each_successor(program, code, pc, [&](std::uint32_t next) {
            if (next < function.first_pc || next >= function.end_pc || seen[next - function.first_pc]) return;
            seen[next - function.first_pc] = true;
            open.push_back(next);
        });
    }
    return false;
}

}  // namespace lanescope::simt
