#include "analysis/async_copies.h"

#include <algorithm>
#include <bit>

#include "analysis/code.h"
#include "ptx/module.h"
#include "trace/events.h"

namespace lanescope::analysis {

bool copies_later(const Code& code, std::uint32_t pc) {
    const ptx::Instruction* const instruction = code.at(pc);
    return instruction != nullptr &&
           (instruction->op == ptx::Op::cp_async || instruction->op == ptx::Op::cp_async_bulk);
}

std::vector<AsyncCopy> find_async_copies(const trace::Trace& trace, const Code& code,
                                         std::uint64_t first_turn, std::uint64_t end_turn) {
    std::vector<AsyncCopy> copies;
    std::vector<bool> later(trace.program.code_rows.size());
    for (std::uint32_t pc = 0; pc < later.size(); ++pc)
        later[pc] = copies_later(code, pc);
    if (std::find(later.begin(), later.end(), true) == later.end()) return copies;
    PendingCopies<std::size_t> pending;
    for (std::uint64_t number = first_turn; number < end_turn; ++number) {
        const trace::Turn& turn = trace.turns[number];
        trace::EventReader reader(trace, number);
        trace::Event event;
        while (reader.next(event)) {
            const bool reads = event.kind == trace::EventKind::load;
            if (!reads && event.kind != trace::EventKind::store) continue;
            if (event.pc >= later.size() || !later[event.pc]) continue;
            unsigned nth = 0;
            for (trace::Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
                const auto lane = static_cast<unsigned>(std::countr_zero(rest));
                const std::uint64_t offset = trace::offset_of(event, lane, nth);
                if (reads) {
                    AsyncCopy copy;
                    copy.issued = number;
                    copy.issue_ordinal = event.ordinal;
                    copy.pc = event.pc;
                    copy.block = turn.block;
                    copy.thread = turn.warp * trace::warp_size + lane;
                    copy.from_space = event.space;
                    copy.from = offset;
                    copy.read_bytes = event.width;
                    pending.issue(turn.block, turn.warp, lane, event.pc, copies.size());
                    copies.push_back(copy);
                } else if (const auto issued = pending.arrive(turn.block, turn.warp, lane, event.pc)) {
                    AsyncCopy& copy = copies[*issued];
                    copy.arrived = number;
                    copy.arrival_ordinal = event.ordinal;
                    copy.to_space = event.space;
                    copy.to = offset;
                    copy.width_bytes = event.width;
                }
            }
        }
    }
    return copies;
}

}  // namespace lanescope::analysis
