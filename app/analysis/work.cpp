#include "analysis/work.h"

#include <algorithm>
#include <bit>

#include "analysis/data_flow.h"
#include "ptx/module.h"

namespace lanescope::analysis {

bool is_texture(const ptx::Instruction& instruction) {
    const ptx::Form form = ptx::info(instruction.op).form;
    return form == ptx::Form::sample || form == ptx::Form::surface;
}

Work::Work(const Code& code) {
    const auto count = static_cast<std::uint32_t>(code.program().code_rows.size());
    const std::vector<bool> data = data_instructions(code, count);
    kinds_.resize(count);
    for (std::uint32_t pc = 0; pc < count; ++pc) {
        const ptx::Instruction* instruction = code.at(pc);
        if (instruction == nullptr) continue;
        Kind& kind = kinds_[pc];
        kind.operation = operation_of(*instruction);
        kind.data = data[pc] && is_arithmetic(kind.operation);
        kind.swap = kind.operation == Operation::atomic && instruction->has(ptx::Mod::cas);
        kind.generic = instruction->space() == ptx::Space::generic;
        kind.texture = is_texture(*instruction);
    }
}

void Runs::add(std::uint32_t begin, std::uint32_t end, std::uint32_t line, std::uint64_t warps,
               std::int64_t lanes) {
    if (begin >= end || begin >= by_begin_.size()) return;
    std::vector<StraightRun>& runs = by_begin_[begin];
    for (StraightRun& run : runs) {
        if (run.end != end || run.line != line) continue;
        run.warps += warps;
        run.lanes += lanes;
        return;
    }
    runs.push_back({end, line, warps, lanes});
}

void Runs::add(const trace::Turn& turn, const trace::TurnDetail& detail) {
    const auto lanes = std::popcount(turn.mask);
    std::uint32_t begin = turn.pc, ordinal = 0;
    const auto run_to = [&](std::uint32_t end_ordinal) {
        const std::uint32_t end = begin + (end_ordinal - ordinal);
        add(begin, end, turn.line, 1, lanes);
        for (const trace::Exit& exit : detail.exits) {
            if (exit.ordinal >= turn.instructions || exit.ordinal + 1u >= end_ordinal) continue;
            const std::uint32_t gone = std::max<std::uint32_t>(exit.ordinal + 1u, ordinal);
            add(begin + (gone - ordinal), end, turn.line, 0, -std::popcount(exit.mask));
        }
    };
    for (const trace::Jump& jump : detail.jumps) {
        if (jump.ordinal < ordinal || jump.ordinal >= turn.instructions) continue;
        run_to(jump.ordinal + 1u);
        begin = jump.pc;
        ordinal = jump.ordinal + 1u;
    }
    run_to(turn.instructions);
}

}  // namespace lanescope::analysis
