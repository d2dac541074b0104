#include <algorithm>
#include <bit>

#include "trace/events.h"
#include "trace/player.h"
#include "trace/replay.h"

namespace lanescope::trace {
namespace {

void add_access(const Trace& trace, const Turn& turn, const Event& event, Access& out) {
    out.kind = access_kind(event.kind);
    out.space = event.space;
    out.width_bytes = event.width;
    out.ordinal = event.ordinal;
    out.pc = event.pc;
    out.line = line_of(trace, turn, event.pc);
    out.mask = event.mask;
    out.owner = event.owner;
    unsigned nth = 0;
    for (Mask rest = event.mask; rest != 0; rest &= rest - 1, ++nth) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        out.offset[lane] = offset_of(event, lane, nth);
    }
}

void clear(TurnDetail& detail, std::uint64_t turn) {
    detail.turn = turn;
    detail.accesses.clear();
    detail.branches.clear();
    detail.exchanges.clear();
    detail.syncs.clear();
    detail.jumps.clear();
    detail.exits.clear();
    detail.changes.clear();
}

}  // namespace

std::uint32_t line_of(const Trace& trace, const Turn& turn, std::uint32_t pc) {
    const auto& rows = trace.program.code_rows;
    return pc < rows.size() && rows[pc].line != 0 ? rows[pc].line : turn.line;
}

AccessKind access_kind(EventKind kind) {
    return kind == EventKind::load    ? AccessKind::load
           : kind == EventKind::store ? AccessKind::store
                                      : AccessKind::atomic;
}

bool add_to_detail(const Trace& trace, const Turn& turn, const Event& event, TurnDetail& out) {
    switch (event.kind) {
        case EventKind::load:
        case EventKind::store:
        case EventKind::atomic:
            add_access(trace, turn, event, out.accesses.emplace_back());
            return true;
        case EventKind::variable:
            out.changes.push_back({event.slot, event.depth, event.mask});
            return true;
        case EventKind::branch:
            out.branches.push_back({event.pc, event.ordinal, event.mask, event.newly_mask});
            return true;
        case EventKind::jump:
            out.jumps.push_back({event.pc, event.ordinal});
            return true;
        case EventKind::exit:
            out.exits.push_back({event.ordinal, event.mask});
            return true;
        case EventKind::sync:
            out.syncs.push_back({event.sync, event.pc, event.ordinal, event.mask, event.detail});
            return true;
        case EventKind::exchange: {
            Exchange& exchange = out.exchanges.emplace_back();
            exchange.pc = event.pc;
            exchange.ordinal = event.ordinal;
            exchange.mask = event.mask;
            source_lanes(event, exchange.source.data());
            return true;
        }
        default:
            return false;
    }
}

void decode(const Trace& trace, std::uint64_t turn, TurnDetail& out) {
    clear(out, turn);
    EventReader reader(trace, turn);
    Event event;
    while (reader.next(event))
        add_to_detail(trace, trace.turns[turn], event, out);
}

}  // namespace lanescope::trace
