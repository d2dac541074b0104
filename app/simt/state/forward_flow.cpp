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

// A place in the order in which a depth-first search leaves the instructions: the later, the smaller. An edge
// to a larger or the same number closes a loop, since compilers make reducible graphs only.
std::vector<std::uint32_t> leaving_order(const Program& program, const Decoded* code,
                                         const DecodedFunction& function) {
    const std::uint32_t size = function.end_pc - function.first_pc;
    std::vector<std::uint32_t> order(size, 0);
    std::vector<bool> seen(size);
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> path;
    std::uint32_t left = 0;
    const auto enter = [&](std::uint32_t pc) {
        if (pc < function.first_pc || pc >= function.end_pc || seen[pc - function.first_pc]) return;
        seen[pc - function.first_pc] = true;
        path.emplace_back(pc, std::vector<std::uint32_t>());
        for_each_successor(program, code, pc,
                           [&](std::uint32_t next) { path.back().second.push_back(next); });
    };
    enter(function.first_pc);
    while (!path.empty()) {
        if (path.back().second.empty()) {
            order[path.back().first - function.first_pc] = left++;
            path.pop_back();
            continue;
        }
        const std::uint32_t next = path.back().second.back();
        path.back().second.pop_back();
        enter(next);
    }
    return order;
}

template <class Allowed>
bool search(const Program& program, const Decoded* code, std::uint32_t from, std::uint32_t to,
            Allowed allowed) {
    const DecodedFunction& function = program.functions[program.function_of(from)];
    std::vector<bool> seen(function.end_pc - function.first_pc);
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
        const std::uint32_t pc = open.back();
        open.pop_back();
        if (pc == to) return true;
        for_each_successor(program, code, pc, [&](std::uint32_t next) {
            if (next < function.first_pc || next >= function.end_pc || seen[next - function.first_pc]) return;
            if (!allowed(pc - function.first_pc, next - function.first_pc)) return;
            seen[next - function.first_pc] = true;
            open.push_back(next);
        });
    }
    return false;
}

}  // namespace

bool reaches(const Program& program, const Decoded* code, std::uint32_t from, std::uint32_t to) {
    return search(program, code, from, to, [](std::uint32_t, std::uint32_t) { return true; });
}

bool reaches_forward(LaunchContext& run, std::uint32_t from, std::uint32_t to) {
    const auto [known, added] = run.forward.try_emplace(std::uint64_t{from} << 32 | to, false);
    if (!added) return known->second;
    const Program& program = run.program;
    const std::uint32_t number = program.function_of(from);
    std::vector<std::uint32_t>& order = run.leaving_orders[number];
    if (order.empty()) order = leaving_order(program, run.code(), program.functions[number]);
    return known->second = search(program, run.code(), from, to,
                                  [&order](std::uint32_t a, std::uint32_t b) { return order[b] < order[a]; });
}

}  // namespace lanescope::simt
