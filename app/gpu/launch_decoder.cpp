#include "gpu/launch_decoder.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

#include "gpu/access_decoder.h"
#include "gpu/decoded_lane.h"

namespace lanescope::gpu {

using ptx::Op;
using trace::Mask;
using trace::Record;
using trace::RecordKind;

void LaneFrame::reset(const simt::DecodedFunction& described) {
    bits.assign(described.slot_homes.size(), 0);
    set.assign(described.slot_homes.size(), false);
    homes.assign(described.homes.size(), false);
    registers.assign(described.watched.size(), 0);
    written.assign(described.watched.size(), false);
    locals.clear();
}

namespace {

constexpr std::uint32_t longest_turn = 65'535;
constexpr unsigned candidates = 512;  // warps that are asked, at most, whether they fit before an earlier one
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

template <class Visit>
void for_lanes(Mask mask, Visit visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(std::countr_zero(mask)));
}
unsigned first_of(Mask mask) {
    return static_cast<unsigned>(std::countr_zero(mask));
}

struct DecodedWarp {
    std::uint32_t block = 0, number = 0, place = 0;  // place: of its block among the recorded ones
    std::array<Lane*, 32> lanes{};
    Mask exists = 0;
};

struct DecodedBarrier {
    std::uint32_t waiting = 0, passed = 0, expected = 0;
    std::vector<Lane*> lanes;
};

struct DecodedBlock {
    std::uint32_t live = 0;
    std::array<DecodedBarrier, 17> barriers;
};

}  // namespace

struct LaunchDecoder::State {
    State(const ptx::Module& the_module, const simt::Program& the_program, const Probes& the_probes,
          const simt::Kernel& the_kernel, MemoryImage& global, MemoryImage& constant)
        : module(the_module),
          program(the_program),
          probes(the_probes),
          kernel(the_kernel),
          accesses(the_module, the_program, the_probes, global, constant) {}

    const ptx::Module& module;
    const simt::Program& program;
    const Probes& probes;
    const simt::Kernel& kernel;
    AccessDecoder accesses;

    const trace::RecordStreams* streams = nullptr;
    trace::Recorder* recorder = nullptr;
    DecodedLaunch result;
    std::vector<Lane> lanes;
    std::vector<DecodedWarp> warps;
    std::vector<DecodedBlock> blocks;
    std::vector<std::vector<bool>> pointers;  // per function and slot: the variable is a pointer
    std::set<std::pair<std::int64_t, std::uint32_t>> queue;  // when a warp goes on, its number
    std::uint64_t dynamic_shared_bytes = 0, grid_barrier = trace::none;

    // The running turn.
    DecodedWarp* warp = nullptr;
    Mask active = 0;
    std::uint32_t pc = 0, executed = 0;
    bool ended = false;
    trace::TurnEnd how = trace::TurnEnd::step;

    void start(const trace::RecordStreams& given, const std::vector<std::uint64_t>& clock_offsets);
    void start_lane(Lane& lane);
    void take_addresses(Lane& lane, std::uint32_t first_pc);
    void look_ahead(Lane& lane);
    Mask ready_group(DecodedWarp& of, std::int64_t& when) const;
    void enqueue(DecodedWarp& of);
    void run_all();
    void run_turn(DecodedWarp& of, Mask group);
    bool cross_point();
    void step();
    void execute(const ptx::Instruction* made);
    void finish_instruction(std::uint32_t from);
    bool begins_step(std::uint32_t from, std::uint32_t to) const;
    void end(trace::TurnEnd with) {
        ended = true;
        how = with;
    }
    void damage(const Lane& lane, const std::string& what);
    void drop(Mask lanes_to_drop);

    void bind(std::uint32_t at);
    void take_values(Mask mask, std::uint32_t at);
    void update(std::uint32_t slot, Mask mask, std::uint32_t reg);
    bool holds_pointer(std::uint32_t function, std::uint32_t slot);
    void branch(const ptx::Instruction& made);
    void call();
    void leave(const ptx::Instruction& made, bool kernel_only);
    void leave_kernel(Mask leaving);
    void return_from(Mask mask);
    void barrier(const ptx::Instruction& made);
    std::uint32_t operand(const ptx::Instruction& made, std::size_t number);
    void release(std::uint32_t place, std::uint32_t number);
    void try_release(std::uint32_t place);
    void exchange();
    void set_next(Mask mask, std::uint32_t to) {
        for_lanes(mask, [&](unsigned lane) { warp->lanes[lane]->pc = to; });
    }
    Lane& leader() { return *warp->lanes[first_of(active)]; }
    const simt::DecodedFunction& function_of(std::uint32_t at) const {
        return program.functions[program.function_of(at)];
    }
};

LaunchDecoder::LaunchDecoder(const ptx::Module& module, const simt::Program& program, const Probes& probes,
                             const simt::Kernel& kernel, MemoryImage& global, MemoryImage& constant)
    : state_(std::make_unique<State>(module, program, probes, kernel, global, constant)) {}
LaunchDecoder::~LaunchDecoder() = default;

// --- The start: lanes, what lies where, one clock ---------------------------------------------------------------

void LaunchDecoder::State::start(const trace::RecordStreams& given,
                                 const std::vector<std::uint64_t>& clock_offsets) {
    streams = &given;
    lanes = std::vector<Lane>(given.threads());
    blocks.assign(given.blocks.size(), {});
    warps.clear();
    for (std::uint32_t place = 0; place < given.blocks.size(); ++place) {
        blocks[place].live = given.block_threads;
        for (std::uint32_t first = 0; first < given.block_threads; first += 32) {
            DecodedWarp made{given.blocks[place], first / 32, place, {}, 0};
            for (std::uint32_t i = 0; i < 32 && first + i < given.block_threads; ++i) {
                Lane& lane = lanes[place * given.block_threads + first + i];
                lane.slot = place * given.block_threads + first + i;
                made.lanes[i] = &lane;
                made.exists |= Mask{1} << i;
            }
            warps.push_back(made);
        }
    }
    for (Lane& lane : lanes) {
        lane.count = std::min(given.counts[lane.slot], given.capacity);
        if (given.counts[lane.slot] > given.capacity) ++result.cut_threads;
        if (lane.count == 0) continue;
        const std::uint32_t sm = given.at(lane.slot, 0).extra;
        if (sm < clock_offsets.size()) lane.clock_offset = static_cast<std::int64_t>(clock_offsets[sm]);
    }
    for (Lane& lane : lanes) start_lane(lane);
}

void LaunchDecoder::State::start_lane(Lane& lane) {
    const std::uint32_t first_pc = program.functions[kernel.function].first_pc;
    lane.frames.emplace_back();
    lane.frame().function = kernel.function;
    lane.frame().local_end = program.functions[kernel.function].local_bytes;
    lane.frame().reset(program.functions[kernel.function]);
    lane.pc = first_pc;
    lane.live = lane.take(*streams, RecordKind::begin, first_pc) != nullptr;
    if (!lane.live) {
        if (lane.count > 0) damage(lane, "a begin record");
        --blocks[lane.slot / streams->block_threads].live;
        return;
    }
    take_addresses(lane, first_pc);
    look_ahead(lane);
}

// What follows the begin of a function's execution: where its local variables lie, and, from one thread, the symbols.
void LaunchDecoder::State::take_addresses(Lane& lane, std::uint32_t first_pc) {
    const simt::DecodedFunction& function = function_of(first_pc);
    while (const Record* record = lane.take(*streams, RecordKind::address, first_pc)) {
        const std::uint32_t number = record->extra;
        if (number == grid_barrier_number) {
            if (grid_barrier != trace::none)
                accesses.add_range({record->value, grid_barrier_bytes, trace::Space::global, grid_barrier});
        } else if (number >= local_number) {
            const std::uint64_t offset = function.local_offsets[number - local_number];
            lane.frame().locals.push_back({record->value, static_cast<std::uint32_t>(offset)});
        } else if (number >= variable_number) {
            const simt::ModuleVariable& variable = program.variables[number - variable_number];
            const bool constant = variable.window == simt::Window::constant;
            accesses.add_range({record->value, variable.size_bytes,
                                constant ? trace::Space::constant : trace::Space::global,
                                variable.address - simt::window_start(variable.window)});
        } else {
            for (const simt::Kernel::Placed& placed : kernel.shared)
                if (placed.symbol == number - shared_number) {
                    const simt::SharedSymbol& symbol = program.shared[placed.symbol];
                    accesses.add_range({record->value, symbol.dynamic ? dynamic_shared_bytes : symbol.size_bytes,
                                        trace::Space::shared, placed.offset});
                }
        }
    }
}

void LaunchDecoder::State::damage(const Lane& lane, const std::string& what) {
    if (!result.damage.empty()) return;
    result.damage = "record " + std::to_string(lane.next) + " of thread " +
                    std::to_string(lane.slot % streams->block_threads) + " of block " +
                    std::to_string(streams->blocks[lane.slot / streams->block_threads]) + ": expected " + what +
                    " at PTX line " + std::to_string(program.description.code_rows[lane.pc].ptx_line);
}

// --- Who goes next ----------------------------------------------------------------------------------------------

// A lane that stands at a point knows when it passes it.
void LaunchDecoder::State::look_ahead(Lane& lane) {
    if (!probes.point[lane.pc]) return;
    const Record* record = lane.peek(*streams);
    if (record == nullptr) {
        // The rest was cut off.
        lane.live = false;
        --blocks[lane.slot / streams->block_threads].live;
        return;
    }
    if (record->head != trace::record_head(RecordKind::point, lane.pc)) {
        damage(lane, "a point");
        lane.live = false;
        --blocks[lane.slot / streams->block_threads].live;
        return;
    }
    lane.time = static_cast<std::int64_t>(record->value) - lane.clock_offset;
}

Mask LaunchDecoder::State::ready_group(DecodedWarp& of, std::int64_t& when) const {
    when = never;
    unsigned first = 32;
    for_lanes(of.exists, [&](unsigned lane) {
        const Lane& each = *of.lanes[lane];
        if (!each.live || each.waits || each.time >= when) return;
        when = each.time;
        first = lane;
    });
    if (first == 32) return 0;
    const Lane& leading = *of.lanes[first];
    Mask group = 0;
    for_lanes(of.exists, [&](unsigned lane) {
        const Lane& each = *of.lanes[lane];
        const bool same = each.live && !each.waits && each.time == when && each.pc == leading.pc &&
                          each.frames.size() == leading.frames.size() &&
                          each.frames.back().return_pc == leading.frames.back().return_pc;
        if (same) group |= Mask{1} << lane;
    });
    return group;
}

void LaunchDecoder::State::enqueue(DecodedWarp& of) {
    std::int64_t when = never;
    if (ready_group(of, when) != 0) queue.insert({when, static_cast<std::uint32_t>(&of - warps.data())});
}

void LaunchDecoder::State::run_all() {
    queue.clear();
    for (DecodedWarp& each : warps) enqueue(each);
    while (!recorder->full()) {
        if (queue.empty()) {  // a cut-off thread never came to the barrier at which these wait
            warp = nullptr;
            bool any = false;
            for (std::uint32_t place = 0; place < blocks.size(); ++place)
                for (std::uint32_t number = 0; number < blocks[place].barriers.size(); ++number)
                    if (!blocks[place].barriers[number].lanes.empty()) {
                        release(place, number);
                        any = true;
                    }
            if (!any) return;
            continue;
        }
        auto chosen = queue.begin();
        unsigned asked = 0;
        for (auto at = queue.begin(); at != queue.end() && asked < candidates; ++at, ++asked) {
            DecodedWarp& of = warps[at->second];
            std::int64_t when = never;
            if (!accesses.fits(of.lanes, ready_group(of, when), of.block)) continue;
            chosen = at;
            break;
        }
        DecodedWarp& of = warps[chosen->second];
        queue.erase(chosen);
        std::int64_t when = never;
        if (const Mask group = ready_group(of, when); group != 0) run_turn(of, group);
        enqueue(of);
    }
}

// --- A turn -----------------------------------------------------------------------------------------------------

void LaunchDecoder::State::run_turn(DecodedWarp& of, Mask group) {
    warp = &of;
    active = group;
    executed = 0;
    ended = false;
    pc = leader().pc;
    if (const std::uint32_t line = program.code[pc].line; line != 0)
        for_lanes(active, [&](unsigned lane) { of.lanes[lane]->line = line; });
    std::uint32_t line = leader().line, depth = static_cast<std::uint32_t>(leader().frames.size() - 1);
    for (std::size_t i = leader().frames.size(); line == 0 && i-- > 1;)
        if (leader().frames[i].call_line != 0) {
            line = leader().frames[i].call_line;
            depth = static_cast<std::uint32_t>(i - 1);
        }
    recorder->begin_turn(of.block, static_cast<std::uint16_t>(of.number), active, pc, line,
                         static_cast<std::uint8_t>(std::min(depth, 255u)));
    result.turn_times.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(leader().time, 0)));
    const Mask began = active;
    while (!ended && active != 0) step();
    result.warp_instructions += executed;
    recorder->end_turn(how, static_cast<std::uint16_t>(executed));
    for_lanes(began, [&](unsigned lane) {
        if (of.lanes[lane]->live && !of.lanes[lane]->waits) look_ahead(*of.lanes[lane]);
    });
    try_release(of.place);
    if (blocks[of.place].live == 0) accesses.end_block(of.block);
}

void LaunchDecoder::State::step() {
    if (probes.point[pc])
        for_lanes(active, [&](unsigned lane) { ++warp->lanes[lane]->next; });
    const std::uint32_t from = pc;
    const simt::DecodedFunction& function = function_of(pc);
    const auto& instructions = module.functions[program.function_of(pc)].instructions;
    const std::uint32_t index = pc - function.first_pc;
    bind(pc);
    result.thread_instructions += static_cast<unsigned>(std::popcount(active));
    set_next(active, pc + 1);
    execute(index < instructions.size() ? &instructions[index] : nullptr);
    ++executed;
    finish_instruction(from);
}

// Whether the turn goes on, and where.
void LaunchDecoder::State::finish_instruction(std::uint32_t from) {
    if (ended || active == 0) return;
    pc = leader().pc;
    bool together = true;
    for_lanes(active, [&](unsigned lane) { together = together && warp->lanes[lane]->pc == pc; });
    if (!together) return end(trace::TurnEnd::diverged);
    if (begins_step(from, pc) || executed >= longest_turn) return end(trace::TurnEnd::step);
    if (probes.point[pc] && !cross_point()) return end(trace::TurnEnd::yielded);
    if (pc != from + 1) recorder->jump(pc, static_cast<std::uint16_t>(executed - 1));
}

// At a point in the middle of a step: the same lanes go on unless the clock says otherwise.
bool LaunchDecoder::State::cross_point() {
    for_lanes(active, [&](unsigned lane) { look_ahead(*warp->lanes[lane]); });
    std::int64_t when = never;
    const Mask group = ready_group(*warp, when);
    return group == active && accesses.fits(warp->lanes, group, warp->block);
}

bool LaunchDecoder::State::begins_step(std::uint32_t from, std::uint32_t to) const {
    const Lane& lane = *warp->lanes[first_of(active)];
    const std::uint32_t line = program.code[to].line;
    if (line != 0 && line != lane.line) return true;
    const std::uint32_t loop = program.code[from].loop_line;
    return loop != 0 && loop == lane.line && to <= from;
}

void LaunchDecoder::State::execute(const ptx::Instruction* made) {
    if (made == nullptr) return return_from(active);  // a ret that the decoder of the program appended
    const std::uint32_t at = pc;
    const auto ordinal = static_cast<std::uint16_t>(executed);
    const unsigned flags = ptx::info(made->op).flags;
    if (probes.access_bytes[at] != 0) {
        accesses.run(warp->lanes, active, warp->block, at, ordinal);
    } else if (made->op == Op::bra || (flags & ptx::op_flag::branch) != 0) {
        return branch(*made);
    } else if (made->op == Op::call) {
        return call();
    } else if (made->op == Op::ret || made->op == Op::exit) {
        return leave(*made, made->op == Op::exit);
    } else if ((flags & ptx::op_flag::barrier) != 0) {
        barrier(*made);
    } else if (made->op == Op::shfl) {
        recorder->sync(trace::SyncKind::meet, at, ordinal, active, 0);
        exchange();
    } else if ((flags & ptx::op_flag::warp_sync) != 0) {
        recorder->sync(trace::SyncKind::meet, at, ordinal, active, 0);
    } else if (made->op == Op::membar || made->op == Op::fence) {
        using trace::FenceScope;
        const FenceScope scope = made->has(ptx::Mod::cta)       ? FenceScope::block
                                 : made->has(ptx::Mod::cluster) ? FenceScope::cluster
                                 : made->has(ptx::Mod::sys)     ? FenceScope::system
                                                                : FenceScope::gpu;
        recorder->sync(trace::SyncKind::fence, at, ordinal, active, static_cast<unsigned>(scope));
    }
    take_values(active, at);
}

void LaunchDecoder::State::exchange() {
    std::array<std::uint8_t, 32> source{};
    Mask moved = 0;
    for_lanes(active, [&](unsigned lane) {
        const Record* record = warp->lanes[lane]->take(*streams, RecordKind::lane, pc);
        if (record == nullptr) return;
        source[lane] = static_cast<std::uint8_t>(record->extra & 31);
        moved |= Mask{1} << lane;
    });
    if (moved != 0) recorder->exchange(pc, static_cast<std::uint16_t>(executed), moved, source.data());
}

// --- Variables --------------------------------------------------------------------------------------------------

void LaunchDecoder::State::bind(std::uint32_t at) {
    const simt::DecodedFunction& function = function_of(at);
    for (const std::uint32_t pair : program.bindings[at]) {
        const simt::VariableHome home = function.homes[pair];
        Mask written = 0;
        for_lanes(active, [&](unsigned lane) {
            LaneFrame& frame = warp->lanes[lane]->frame();
            for (const std::uint32_t other : function.slot_homes[home.slot]) frame.homes[other] = false;
            frame.homes[pair] = true;
            if (frame.written[home.reg]) written |= Mask{1} << lane;
        });
        update(home.slot, written, home.reg);
    }
}

void LaunchDecoder::State::take_values(Mask mask, std::uint32_t at) {
    if (program.writes[at].empty()) return;
    const simt::DecodedFunction& function = function_of(at);
    for (const std::uint32_t reg : program.writes[at]) {
        Mask written = 0;
        for_lanes(mask, [&](unsigned lane) {
            const Record* record = warp->lanes[lane]->peek(*streams);
            if (record == nullptr || record->head != trace::record_head(RecordKind::variable, at) ||
                record->extra != reg)
                return;
            ++warp->lanes[lane]->next;
            LaneFrame& frame = warp->lanes[lane]->frame();
            frame.registers[reg] = record->value;
            frame.written[reg] = true;
            written |= Mask{1} << lane;
        });
        for (const std::uint32_t pair : function.watched[reg].pairs) {
            Mask at_home = 0;
            for_lanes(written, [&](unsigned lane) {
                if (warp->lanes[lane]->frame().homes[pair]) at_home |= Mask{1} << lane;
            });
            update(function.homes[pair].slot, at_home, reg);
        }
    }
}

bool LaunchDecoder::State::holds_pointer(std::uint32_t function, std::uint32_t slot) {
    if (pointers.empty()) pointers.resize(program.functions.size());
    std::vector<bool>& slots = pointers[function];
    if (slots.empty()) {
        slots.resize(program.functions[function].slot_homes.size());
        for (const trace::Variable& variable : program.description.functions[function].variables)
            if (variable.home == trace::Variable::Home::slot && variable.slot < slots.size())
                slots[variable.slot] =
                    program.description.types[variable.type].kind == ValueType::Kind::pointer;
    }
    return slots[slot];
}

void LaunchDecoder::State::update(std::uint32_t slot, Mask mask, std::uint32_t reg) {
    std::array<std::uint64_t, 32> before{}, after{};
    Mask changed = 0, newly = 0;
    const bool pointer = holds_pointer(program.function_of(pc), slot);
    for_lanes(mask, [&](unsigned lane) {
        LaneFrame& frame = warp->lanes[lane]->frame();
        before[lane] = frame.bits[slot];
        after[lane] = pointer ? accesses.pointer(*warp->lanes[lane], frame.registers[reg]) : frame.registers[reg];
        if (frame.set[slot] && before[lane] == after[lane]) return;
        changed |= Mask{1} << lane;
        if (!frame.set[slot]) newly |= Mask{1} << lane;
        frame.set[slot] = true;
        frame.bits[slot] = after[lane];
    });
    if (changed != 0) recorder->variable(slot, changed, before.data(), after.data(), newly);
}

// --- Control flow -----------------------------------------------------------------------------------------------

void LaunchDecoder::State::branch(const ptx::Instruction& made) {
    const bool guarded = made.guard != ptx::no_index;
    const std::uint32_t target = program.code[pc].target;
    if (made.op == Op::bra && !guarded) return set_next(active, target);
    Mask taken = 0;
    for_lanes(active, [&](unsigned lane) {
        const Record* record = warp->lanes[lane]->peek(*streams);
        if (record == nullptr || kind_of(*record) != RecordKind::point) return;
        if (trace::pc_of(*record) == pc + 1) return;
        warp->lanes[lane]->pc = trace::pc_of(*record);
        taken |= Mask{1} << lane;
    });
    if (guarded) recorder->branch(pc, static_cast<std::uint16_t>(executed), active, taken);
}

void LaunchDecoder::State::call() {
    const simt::CallSite& site = program.calls[program.code[pc].target];
    std::uint32_t callee = site.callee;
    if (callee == trace::none) {  // indirect: the callee's first point says which
        const Record* record = leader().peek(*streams);
        if (record == nullptr) return drop(active);
        callee = program.function_of(trace::pc_of(*record));
    }
    const simt::DecodedFunction& function = program.functions[callee];
    if (function.first_pc == function.end_pc) return;  // printf and its like
    Mask same = 0;
    for_lanes(active, [&](unsigned lane) {
        const Record* record = warp->lanes[lane]->peek(*streams);
        const bool other = site.callee == trace::none && record != nullptr &&
                           program.function_of(trace::pc_of(*record)) != callee;
        if (!other) same |= Mask{1} << lane;
    });
    for_lanes(active & ~same, [&](unsigned lane) { warp->lanes[lane]->pc = pc; });  // they call something else
    std::uint32_t base = leader().frame().local_end;
    for_lanes(same, [&](unsigned lane) {
        Lane& each = *warp->lanes[lane];
        LaneFrame entered;
        entered.function = callee;
        entered.return_pc = pc + 1;
        entered.call_line = each.line;
        entered.local_base = each.frame().local_end;
        entered.local_end = entered.local_base + function.local_bytes;
        entered.reset(function);
        if (function.local_bytes != 0) each.local_memory().forget(entered.local_base, function.local_bytes);
        each.frames.push_back(std::move(entered));
        take_addresses(each, function.first_pc);
        each.line = 0;
        each.pc = function.first_pc;
    });
    recorder->push_frame(same, callee, base);
    if (same != active) end(trace::TurnEnd::diverged);
}

void LaunchDecoder::State::leave(const ptx::Instruction& made, bool kernel_only) {
    Mask leaving = active;
    const bool from_kernel = kernel_only || leader().frames.size() == 1;
    if (made.guard != ptx::no_index) {
        leaving = 0;
        for_lanes(active, [&](unsigned lane) {
            const Record* record = warp->lanes[lane]->peek(*streams);
            const bool ends = record != nullptr && record->head == trace::record_head(RecordKind::end, pc);
            if (ends) leaving |= Mask{1} << lane;
        });
    }
    if (from_kernel)
        leave_kernel(leaving);
    else
        return_from(leaving);
}

void LaunchDecoder::State::leave_kernel(Mask leaving) {
    if (leaving == 0) return;
    for_lanes(leaving, [&](unsigned lane) {
        warp->lanes[lane]->take(*streams, RecordKind::end, pc);
        warp->lanes[lane]->live = false;
        --blocks[warp->place].live;
    });
    if (leaving == active) {
        end(trace::TurnEnd::exited);
    } else {
        recorder->exit_lanes(leaving, static_cast<std::uint16_t>(executed));
        active &= ~leaving;
    }
}

void LaunchDecoder::State::return_from(Mask mask) {
    if (leader().frames.size() == 1) return leave_kernel(mask);
    recorder->pop_frame(mask);
    const bool stepped = leader().line != 0;
    for_lanes(mask, [&](unsigned lane) {
        Lane& each = *warp->lanes[lane];
        each.pc = each.frame().return_pc;
        each.line = each.frame().call_line;
        each.frames.pop_back();
    });
    take_values(mask, leader().pc - 1);
    if (stepped) end(trace::TurnEnd::step);
}

void LaunchDecoder::State::drop(Mask lanes_to_drop) {
    for_lanes(lanes_to_drop, [&](unsigned lane) {
        warp->lanes[lane]->live = false;
        --blocks[warp->place].live;
    });
    end(trace::TurnEnd::exited);
}

// --- Barriers of the block --------------------------------------------------------------------------------------

std::uint32_t LaunchDecoder::State::operand(const ptx::Instruction& made, std::size_t number) {
    std::size_t seen = 0;
    std::uint32_t records = 0;
    for (const ptx::Operand& each : made.operands) {
        const bool value = each.kind == ptx::Operand::Kind::integer || each.kind == ptx::Operand::Kind::reg;
        const bool written = (ptx::info(made.op).flags & ptx::op_flag::writes) != 0 && &each == &made.operands[0];
        if (!value || written || each.negated) continue;
        const bool recorded = each.kind == ptx::Operand::Kind::reg;
        if (seen++ == number) {
            if (!recorded) return static_cast<std::uint32_t>(each.bits);
            const Record* record = leader().peek(*streams, records);
            return record == nullptr ? 0 : static_cast<std::uint32_t>(record->value);
        }
        if (recorded) ++records;
    }
    return 0;
}

void LaunchDecoder::State::barrier(const ptx::Instruction& made) {
    const std::uint32_t number = std::min(operand(made, 0), 16u);
    const bool reduction = made.op == Op::bar_red || made.op == Op::barrier_red;
    const std::uint32_t count = reduction ? 0 : operand(made, 1);
    const bool passes = made.op == Op::bar_arrive || made.op == Op::barrier_arrive;
    recorder->sync(passes ? trace::SyncKind::arrive : trace::SyncKind::wait, pc, static_cast<std::uint16_t>(executed),
                   active, number);
    DecodedBarrier& waited = blocks[warp->place].barriers[number];
    if (count != 0) waited.expected = count;
    for_lanes(active, [&](unsigned lane) {
        Lane& each = *warp->lanes[lane];
        while (const Record* record = each.peek(*streams)) {
            if (record->head != trace::record_head(RecordKind::variable, pc) || record->extra != operand_value) break;
            ++each.next;
        }
        if (passes) return;
        each.waits = true;
        waited.lanes.push_back(&each);
    });
    const auto lanes_here = static_cast<std::uint32_t>(std::popcount(active));
    (passes ? waited.passed : waited.waiting) += count != 0 ? 32 : lanes_here;
    if (!passes) end(trace::TurnEnd::barrier);
}

void LaunchDecoder::State::try_release(std::uint32_t place) {
    DecodedBlock& block = blocks[place];
    for (std::uint32_t number = 0; number < block.barriers.size(); ++number) {
        const DecodedBarrier& waited = block.barriers[number];
        const std::uint32_t needed = waited.expected != 0 ? waited.expected : block.live;
        if (!waited.lanes.empty() && waited.waiting + waited.passed >= needed) release(place, number);
    }
}

void LaunchDecoder::State::release(std::uint32_t place, std::uint32_t number) {
    DecodedBarrier opened;
    std::swap(opened, blocks[place].barriers[number]);
    recorder->barrier_release(streams->blocks[place], number);
    std::set<std::uint32_t> woken;
    const std::uint32_t per_block = (streams->block_threads + 31) / 32;
    for (Lane* lane : opened.lanes) {
        lane->waits = false;
        if (lane->live) look_ahead(*lane);
        woken.insert(place * per_block + lane->slot % streams->block_threads / 32);
    }
    for (const std::uint32_t each : woken)
        if (&warps[each] != warp) enqueue(warps[each]);
}

DecodedLaunch LaunchDecoder::decode(const trace::RecordStreams& streams, const LaunchShape& shape,
                                    const std::vector<MappedRange>& ranges,
                                    const std::vector<std::uint64_t>& clock_offsets, trace::Recorder& recorder) {
    State& state = *state_;
    state.result = {};
    state.recorder = &recorder;
    state.warp = nullptr;
    state.accesses.begin(streams, ranges, streams.blocks.size() == shape.grid.count(), recorder, state.result);
    state.dynamic_shared_bytes = shape.dynamic_shared_bytes;
    state.grid_barrier = shape.grid_barrier;
    state.start(streams, clock_offsets);
    state.accesses.end_ranges();
    state.run_all();
    return state.result;
}

}  // namespace lanescope::gpu
