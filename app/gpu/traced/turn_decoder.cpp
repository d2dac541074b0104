#include "gpu/traced/turn_decoder.h"

#include <algorithm>

#include "simt/state/barrier.h"
#include "simt/state/cluster.h"
#include "simt/state/forward_flow.h"

namespace lanescope::gpu {

using ptx::Op;
using trace::Mask;
using trace::Record;
using trace::RecordKind;

namespace {

constexpr std::uint32_t max_turn = 65'535;
constexpr std::uint64_t function_bytes = 16;  // between the addresses of two functions on the CPU machine

}  // namespace

void TurnDecoder::start_lane(Lane& lane) {
    const std::uint32_t first_pc = code_.program.functions[code_.kernel.function].first_pc;
    lane.frames.emplace_back();
    lane.frame().function = code_.kernel.function;
    lane.frame().local_end = code_.program.functions[code_.kernel.function].local_bytes;
    lane.frame().reset(code_.program.functions[code_.kernel.function]);
    lane.pc = first_pc;
    lane.live = lane.take(streams_, RecordKind::begin, first_pc) != nullptr;
    if (!lane.live) {
        if (lane.count > 0) queue_.damage(lane, "a begin record");
        return queue_.end_lane(lane);
    }
    take_addresses(lane, first_pc, streams_);
    queue_.look_ahead(lane);
}

// The launch's first thread tells where variables lie, also if its block is not decoded.
void TurnDecoder::take_symbols() {
    if (streams_.first_records.empty()) return;
    trace::RecordStreams alone;
    alone.blocks = {streams_.first_block};
    alone.block_threads = 1;
    alone.capacity = static_cast<std::uint32_t>(streams_.first_records.size());
    alone.records = streams_.first_records;
    const std::uint32_t first_pc = code_.program.functions[code_.kernel.function].first_pc;
    Lane lane;
    lane.count = alone.capacity;
    lane.frames.emplace_back();
    if (lane.take(alone, RecordKind::begin, first_pc) != nullptr) take_addresses(lane, first_pc, alone);
}

bool TurnDecoder::names_symbol(std::uint32_t number, const simt::DecodedFunction& function) const {
    if (number >= kernel_number) return number - kernel_number < code_.module.functions.size();
    if (number >= grid_barrier_number) return number == grid_barrier_number;
    if (number >= local_number) return number - local_number < function.local_offsets.size();
    return number < variable_number || number - variable_number < code_.program.variables.size();
}

// What follows the begin of a function's execution: where its local variables lie, and, from one thread, the
// symbols.
void TurnDecoder::take_addresses(Lane& lane, std::uint32_t first_pc, const trace::RecordStreams& streams) {
    const simt::DecodedFunction& function = function_of(first_pc);
    while (const Record* record = lane.take(streams, RecordKind::address, first_pc)) {
        const std::uint32_t number = record->extra;
        if (!names_symbol(number, function)) {
            queue_.damage(lane, "the address of a symbol");
        } else if (number >= kernel_number) {
            calls_.note_kernel(record->value, number - kernel_number);
            accesses_.note_value(record->value, simt::window::function +
                                                    std::uint64_t{number - kernel_number} * function_bytes);
        } else if (number == grid_barrier_number) {
            if (shape_.grid_barrier != trace::none)
                accesses_.add_range(
                    {record->value, grid_barrier_bytes, trace::Space::global, shape_.grid_barrier});
        } else if (number >= local_number) {
            const std::uint64_t offset = function.local_offsets[number - local_number];
            lane.frame().locals.push_back({record->value, static_cast<std::uint32_t>(offset)});
        } else if (number >= variable_number) {
            const simt::ModuleVariable& variable = code_.program.variables[number - variable_number];
            const bool constant = variable.window == simt::Window::constant;
            accesses_.add_range({record->value, variable.size_bytes,
                                 constant ? trace::Space::constant : trace::Space::global,
                                 variable.address - simt::window_start(variable.window)});
        } else {
            const Record* next = lane.peek(streams);
            std::optional<std::uint64_t> mapped;  // as the cluster's blocks know it in the first block
            if (next != nullptr && next->head == record->head && next->extra == number) {
                mapped = next->value;
                ++lane.next;
            }
            for (const simt::Kernel::Placed& placed : code_.kernel.shared)
                if (placed.symbol == number - shared_number)
                    add_shared(placed, streams.blocks[lane.slot / streams.block_threads], record->value,
                               mapped);
        }
    }
}

// Where a shared variable lies for every block of the cluster. On a GPU the block's rank is in each address
// of its shared memory; on the CPU machine only in those that mapa gave.
void TurnDecoder::add_shared(const simt::Kernel::Placed& placed, std::uint32_t block, std::uint64_t own,
                             std::optional<std::uint64_t> mapped) {
    const simt::SharedSymbol& symbol = code_.program.shared[placed.symbol];
    MappedRange range;
    range.size_bytes = symbol.dynamic ? shape_.dynamic_shared_bytes : symbol.size_bytes;
    range.space = trace::Space::shared;
    range.offset = placed.offset;
    const std::uint64_t own_rank = shape_.launch.rank_in_cluster(block);
    const std::uint64_t first = mapped.value_or(own - (own_rank << simt::cluster_rank_shift));
    range.plain_too = own == first + (own_rank << simt::cluster_rank_shift);
    for (std::uint32_t rank = 0; rank < shape_.launch.cluster.count(); ++rank) {
        range.gpu_address = first + (std::uint64_t{rank} << simt::cluster_rank_shift);
        if (mapped) range.rank = rank;
        accesses_.add_range(range);
    }
    if (range.plain_too) return;
    range.gpu_address = own;
    range.rank = trace::none;
    accesses_.add_range(range);
}

// See simt::step_of_caller(). Lanes that share a call on the CPU machine join together or not at all.
void TurnDecoder::join_next_step() {
    std::vector<LaneFrame>& frames = leader().frames;
    std::vector<std::uint32_t> return_pcs;
    for (std::size_t i = frames.size(); i-- > 1 && return_pcs.size() < 8;) {
        bool alone = true;
        each_lane(warp_->exists & ~active_, [&](unsigned lane) {
            const Lane& other = *warp_->lanes[lane];
            alone = alone && !(other.live && other.frames.size() > i &&
                               other.frames[i].return_pc == frames[i].return_pc);
        });
        if (!alone) break;
        return_pcs.push_back(frames[i].return_pc);
    }
    const simt::StepOfCaller next =
        simt::step_of_caller(code_.program, code_.program.code.data(), pc_, return_pcs);
    if (next.line == 0 || next.returns == 0) return;
    each_lane(active_, [&](unsigned lane) {
        std::vector<LaneFrame>& each = warp_->lanes[lane]->frames;
        each[each.size() - next.returns].call_line = next.line;
    });
}

void TurnDecoder::run(DecodedWarp& warp, Mask group) {
    warp_ = &warp;
    active_ = group;
    executed_ = 0;
    ended_ = false;
    pc_ = leader().pc;
    if (leader().line == 0) join_next_step();
    if (const std::uint32_t line = code_.program.code[pc_].line; line != 0)
        each_lane(active_, [&](unsigned lane) { warp.lanes[lane]->line = line; });
    std::uint32_t line = leader().line, depth = static_cast<std::uint32_t>(leader().frames.size() - 1);
    for (std::size_t i = leader().frames.size(); line == 0 && i-- > 1;)
        if (leader().frames[i].call_line != 0) {
            line = leader().frames[i].call_line;
            depth = static_cast<std::uint32_t>(i - 1);
        }
    recorder_.begin_turn(warp.block, static_cast<std::uint16_t>(warp.number), active_, pc_, line,
                         static_cast<std::uint8_t>(std::min(depth, 255u)));
    result_.turn_times.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(leader().time, 0)));
    const Mask began = active_;
    each_lane(began, [&](unsigned lane) { warp.lanes[lane]->turn = result_.turn_times.size() - 1; });
    while (!ended_ && active_ != 0 && !recorder_.full())
        step();
    result_.warp_instructions += executed_;
    recorder_.end_turn(how_, static_cast<std::uint16_t>(executed_));
    each_lane(began, [&](unsigned lane) {
        if (warp.lanes[lane]->live && !warp.lanes[lane]->waits) queue_.look_ahead(*warp.lanes[lane]);
    });
    queue_.try_release(warp);
    if (!queue_.cluster_ended(warp)) return;
    for (const std::uint32_t block : queue_.blocks_around(warp)) {
        accesses_.end_block(block);
        operations_.end_block(block);
    }
}

void TurnDecoder::step() {
    if (code_.probes.point[pc_]) each_lane(active_, [&](unsigned lane) { ++warp_->lanes[lane]->next; });
    const std::uint32_t from = pc_;
    const simt::DecodedFunction& function = function_of(pc_);
    const auto& instructions = code_.module.functions[code_.program.function_of(pc_)].instructions;
    const std::uint32_t index = pc_ - function.first_pc;
    variables_.bind(*warp_, active_, pc_);
    result_.thread_instructions += static_cast<unsigned>(std::popcount(active_));
    set_next(active_, pc_ + 1);
    execute(index < instructions.size() ? &instructions[index] : nullptr);
    ++executed_;
    finish_instruction(from);
}

// Returns whether the turn goes on, and sets its next place.
void TurnDecoder::finish_instruction(std::uint32_t from) {
    if (ended_ || active_ == 0 || !stays_in_code(from)) return;
    pc_ = leader().pc;
    bool together = true;
    each_lane(active_, [&](unsigned lane) { together = together && warp_->lanes[lane]->pc == pc_; });
    if (!together) return end(trace::TurnEnd::diverged);
    if (begins_step(from, pc_) || executed_ >= max_turn) return end(trace::TurnEnd::step);
    if (code_.probes.point[pc_] && !cross_point()) return end(trace::TurnEnd::yielded);
    if (pc_ != from + 1) recorder_.jump(pc_, static_cast<std::uint16_t>(executed_ - 1));
}

// Only damaged records lead on behind an instruction that never continues and ends its function. False: no
// lane is left.
bool TurnDecoder::stays_in_code(std::uint32_t from) {
    if (from + 1 != function_of(from).end_pc) return true;
    each_lane(active_, [&](unsigned number) {
        Lane& lane = *warp_->lanes[number];
        if (lane.pc < code_.program.code.size() &&
            code_.program.function_of(lane.pc) == lane.frame().function)
            return;
        lane.pc = from;
        drop_damaged(lane, "the end of the thread");
    });
    return active_ != 0;
}

// At a point in the middle of a step: the same lanes go on unless the clock says otherwise.
bool TurnDecoder::cross_point() {
    each_lane(active_, [&](unsigned lane) { queue_.look_ahead(*warp_->lanes[lane]); });
    if (tests_barrier_object(code_.program.ops[pc_])) return false;  // others may come before its end
    std::int64_t when = 0;
    const Mask group = queue_.ready_group(*warp_, when);
    return group == active_ && accesses_.fits(warp_->lanes, group);
}

bool TurnDecoder::begins_step(std::uint32_t from, std::uint32_t to) const {
    const Lane& lane = leader();
    const std::uint32_t line = code_.program.code[to].line;
    if (line != 0 && line != lane.line) return true;
    const std::uint32_t loop = code_.program.code[from].loop_line;
    return loop != 0 && loop == lane.line && to <= from;
}

void TurnDecoder::execute(const ptx::Instruction* made) {
    if (made == nullptr) return return_from(active_);  // a ret that the decoder of the program appended
    const std::uint32_t at = pc_;
    const auto ordinal = static_cast<std::uint16_t>(executed_);
    const unsigned flags = ptx::info(made->op).flags;
    calls_.run({*warp_, active_, at, ordinal});
    if (operations_.run({*warp_, active_, at, ordinal}, *made)) {
        // its events are written
    } else if (code_.probes.access_bytes[at] != 0) {
        accesses_.run(warp_->lanes, active_, at, ordinal);
    } else if (made->op == Op::bra || (flags & ptx::op_flag::branch) != 0) {
        return branch(*made);
    } else if (made->op == Op::call) {
        return call();
    } else if (made->op == Op::ret || made->op == Op::exit) {
        return leave(*made, made->op == Op::exit);
    } else if (made->op == Op::barrier_cluster_arrive || made->op == Op::barrier_cluster_wait) {
        cluster_barrier(made->op == Op::barrier_cluster_arrive);
    } else if ((flags & ptx::op_flag::barrier) != 0) {
        barrier(*made);
    } else if (made->op == Op::shfl) {
        recorder_.sync(trace::SyncKind::meet, at, ordinal, active_, 0);
        exchange();
    } else if ((flags & ptx::op_flag::warp_sync) != 0) {
        recorder_.sync(trace::SyncKind::meet, at, ordinal, active_, 0);
    } else if (made->op == Op::membar || made->op == Op::fence) {
        using trace::FenceScope;
        const FenceScope scope = made->has(ptx::Mod::cta)       ? FenceScope::block
                                 : made->has(ptx::Mod::cluster) ? FenceScope::cluster
                                 : made->has(ptx::Mod::sys)     ? FenceScope::system
                                                                : FenceScope::gpu;
        recorder_.sync(trace::SyncKind::fence, at, ordinal, active_, static_cast<unsigned>(scope));
    }
    variables_.take_values(*warp_, active_, at);
}

void TurnDecoder::exchange() {
    std::array<std::uint8_t, 32> source{};
    Mask moved = 0;
    each_lane(active_, [&](unsigned lane) {
        const Record* record = warp_->lanes[lane]->take(streams_, RecordKind::lane, pc_);
        if (record == nullptr) return;
        source[lane] = static_cast<std::uint8_t>(record->extra & 31);
        moved |= Mask{1} << lane;
    });
    if (moved != 0) recorder_.exchange(pc_, static_cast<std::uint16_t>(executed_), moved, source.data());
}

// --- Control flow ------------------------------------------------------------------------------------------

void TurnDecoder::branch(const ptx::Instruction& made) {
    const bool guarded = made.guard != ptx::no_index;
    const std::uint32_t target = code_.program.code[pc_].target;
    if (made.op == Op::bra && !guarded) return set_next(active_, target);
    Mask taken = 0;
    const std::uint32_t function = code_.program.function_of(pc_);
    each_lane(active_, [&](unsigned number) {
        Lane& lane = *warp_->lanes[number];
        const Record* record = lane.peek(streams_);
        if (record == nullptr || kind_of(*record) != RecordKind::point) return;
        const std::uint32_t to = trace::pc_of(*record);
        if (to == pc_ + 1) return;
        if (code_.program.function_of(to) != function || !code_.probes.point[to])
            return drop_damaged(lane, "a point of its function");
        lane.pc = to;
        taken |= Mask{1} << number;
    });
    if (guarded) recorder_.branch(pc_, static_cast<std::uint16_t>(executed_), active_, taken);
}

void TurnDecoder::call() {
    const simt::CallSite& site = code_.program.calls[code_.program.code[pc_].target];
    std::uint32_t callee = site.callee;
    if (callee == trace::none) {  // indirect: the callee's first point says which
        const Record* record = leader().peek(streams_);
        if (record == nullptr) return drop(active_);
        callee = code_.program.function_of(trace::pc_of(*record));
    }
    const simt::DecodedFunction& function = code_.program.functions[callee];
    if (function.first_pc == function.end_pc) return;  // printf and its like
    Mask same = 0;
    each_lane(active_, [&](unsigned lane) {
        const Record* record = warp_->lanes[lane]->peek(streams_);
        const bool other = site.callee == trace::none && record != nullptr &&
                           code_.program.function_of(trace::pc_of(*record)) != callee;
        if (!other) same |= Mask{1} << lane;
    });
    each_lane(active_ & ~same,
              [&](unsigned lane) { warp_->lanes[lane]->pc = pc_; });  // they call something else
    std::uint32_t base = leader().frame().local_end;
    each_lane(same, [&](unsigned lane) {
        Lane& each = *warp_->lanes[lane];
        LaneFrame entered;
        entered.function = callee;
        entered.return_pc = pc_ + 1;
        entered.call_line = each.line;
        entered.local_base = each.frame().local_end;
        entered.local_end = entered.local_base + function.local_bytes;
        entered.reset(function);
        if (function.local_bytes != 0) each.local_memory().forget(entered.local_base, function.local_bytes);
        each.frames.push_back(std::move(entered));
        take_addresses(each, function.first_pc, streams_);
        each.line = 0;
        each.pc = function.first_pc;
    });
    recorder_.push_frame(same, callee, base);
    if (same != active_) end(trace::TurnEnd::diverged);
}

void TurnDecoder::leave(const ptx::Instruction& made, bool kernel_only) {
    Mask leaving = active_;
    const bool from_kernel = kernel_only || leader().frames.size() == 1;
    if (made.guard != ptx::no_index) {
        leaving = 0;
        each_lane(active_, [&](unsigned lane) {
            const Record* record = warp_->lanes[lane]->peek(streams_);
            const bool ends = record != nullptr && record->head == trace::record_head(RecordKind::end, pc_);
            if (ends) leaving |= Mask{1} << lane;
        });
    }
    if (from_kernel)
        leave_kernel(leaving);
    else
        return_from(leaving);
}

void TurnDecoder::leave_kernel(Mask leaving) {
    if (leaving == 0) return;
    operations_.leave({*warp_, leaving, pc_, static_cast<std::uint16_t>(executed_)});
    each_lane(leaving, [&](unsigned lane) {
        warp_->lanes[lane]->left = warp_->lanes[lane]->take(streams_, RecordKind::end, pc_) != nullptr;
        queue_.end_lane(*warp_->lanes[lane]);
    });
    if (leaving == active_) {
        end(trace::TurnEnd::exited);
    } else {
        recorder_.exit_lanes(leaving, static_cast<std::uint16_t>(executed_));
        active_ &= ~leaving;
    }
}

void TurnDecoder::return_from(Mask mask) {
    if (mask == 0) return;
    const Lane& first = *warp_->lanes[static_cast<unsigned>(std::countr_zero(mask))];
    if (first.frames.size() == 1) return leave_kernel(mask);
    recorder_.pop_frame(mask);
    const bool stepped = first.line != 0;
    each_lane(mask, [&](unsigned lane) {
        Lane& each = *warp_->lanes[lane];
        each.pc = each.frame().return_pc;
        each.line = each.frame().call_line;
        each.frames.pop_back();
    });
    variables_.take_values(*warp_, mask, first.pc - 1);
    if (stepped) end(trace::TurnEnd::step);
}

void TurnDecoder::drop(Mask lanes) {
    each_lane(lanes, [&](unsigned lane) { queue_.end_lane(*warp_->lanes[lane]); });
    end(trace::TurnEnd::exited);
}

void TurnDecoder::drop_damaged(Lane& lane, const std::string& expected) {
    queue_.damage(lane, expected);
    queue_.end_lane(lane);
    active_ &= ~(Mask{1} << lane.slot % streams_.block_threads % 32);
}

// --- Barriers of the block ---------------------------------------------------------------------------------

std::uint32_t TurnDecoder::operand(const ptx::Instruction& made, std::size_t number) {
    std::size_t seen = 0;
    std::uint32_t records = 0;
    for (const ptx::Operand& each : made.operands) {
        const bool value = each.kind == ptx::Operand::Kind::integer || each.kind == ptx::Operand::Kind::reg;
        const bool written =
            (ptx::info(made.op).flags & ptx::op_flag::writes) != 0 && &each == &made.operands[0];
        if (!value || written || each.negated) continue;
        const bool recorded = each.kind == ptx::Operand::Kind::reg;
        if (seen++ == number) {
            if (!recorded) return static_cast<std::uint32_t>(each.bits);
            const Record* record = leader().peek(streams_, records);
            return record == nullptr ? 0 : static_cast<std::uint32_t>(record->value);
        }
        if (recorded) ++records;
    }
    return 0;
}

void TurnDecoder::cluster_barrier(bool arrives) {
    recorder_.sync(arrives ? trace::SyncKind::arrive : trace::SyncKind::wait, pc_,
                   static_cast<std::uint16_t>(executed_), active_, simt::cluster_barrier);
    if (arrives) return queue_.arrive_at_cluster(*warp_, active_);
    if (queue_.wait_for_cluster(*warp_, active_)) end(trace::TurnEnd::barrier);
}

void TurnDecoder::barrier(const ptx::Instruction& made) {
    const std::uint32_t number = std::min(operand(made, 0), 16u);
    const bool reduction = made.op == Op::bar_red || made.op == Op::barrier_red;
    const std::uint32_t count = reduction ? 0 : operand(made, 1);
    const bool passes = made.op == Op::bar_arrive || made.op == Op::barrier_arrive;
    recorder_.sync(passes ? trace::SyncKind::arrive : trace::SyncKind::wait, pc_,
                   static_cast<std::uint16_t>(executed_), active_, number);
    each_lane(active_, [&](unsigned lane) {
        Lane& each = *warp_->lanes[lane];
        while (const Record* record = each.peek(streams_)) {
            if (record->head != trace::record_head(RecordKind::variable, pc_) ||
                record->extra != operand_value)
                break;
            ++each.next;
        }
    });
    queue_.arrive(*warp_, active_, number, count, passes);
    if (!passes) end(trace::TurnEnd::barrier);
}

}  // namespace lanescope::gpu
