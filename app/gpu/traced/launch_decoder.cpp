#include "gpu/traced/launch_decoder.h"

#include <algorithm>
#include <limits>

#include "gpu/traced/decoder_state.h"

namespace lanescope::gpu {

using ptx::Op;
using trace::Mask;
using trace::Record;
using trace::RecordKind;

namespace {

constexpr std::uint32_t max_turn = 65'535;
constexpr unsigned candidates = 512;  // warps that are asked, at most, whether they fit before an earlier one
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

}  // namespace

LaunchDecoder::LaunchDecoder(const ptx::Module& module, const simt::Program& program, const Probes& probes,
                             const simt::Kernel& kernel, MemoryImage& global, MemoryImage& constant)
    : state_(std::make_unique<State>(module, program, probes, kernel, global, constant)) {}
LaunchDecoder::~LaunchDecoder() = default;

// --- The start: lanes, what lies where, one clock ----------------------------------------------------------

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
    for (Lane& lane : lanes)
        start_lane(lane);
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

// What follows the begin of a function's execution: where its local variables lie, and, from one thread, the
// symbols.
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
                    accesses.add_range({record->value,
                                        symbol.dynamic ? dynamic_shared_bytes : symbol.size_bytes,
                                        trace::Space::shared, placed.offset});
                }
        }
    }
}

void LaunchDecoder::State::damage(const Lane& lane, const std::string& what) {
    if (!result.damage.empty()) return;
    result.damage = "record " + std::to_string(lane.next) + " of thread " +
                    std::to_string(lane.slot % streams->block_threads) + " of block " +
                    std::to_string(streams->blocks[lane.slot / streams->block_threads]) + ": expected " +
                    what + " at PTX line " + std::to_string(program.description.code_rows[lane.pc].ptx_line);
}

// --- Who goes next -----------------------------------------------------------------------------------------

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
    for (DecodedWarp& each : warps)
        enqueue(each);
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

// --- A turn ------------------------------------------------------------------------------------------------

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
    while (!ended && active != 0)
        step();
    result.warp_instructions += executed;
    recorder->end_turn(how, static_cast<std::uint16_t>(executed));
    for_lanes(began, [&](unsigned lane) {
        if (of.lanes[lane]->live && !of.lanes[lane]->waits) look_ahead(*of.lanes[lane]);
    });
    try_release(of.place);
    if (blocks[of.place].live == 0) accesses.end_block(of.block);
}

void LaunchDecoder::State::step() {
    if (probes.point[pc]) for_lanes(active, [&](unsigned lane) { ++warp->lanes[lane]->next; });
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
    if (begins_step(from, pc) || executed >= max_turn) return end(trace::TurnEnd::step);
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

DecodedLaunch LaunchDecoder::decode(const trace::RecordStreams& streams, const LaunchShape& shape,
                                    const std::vector<MappedRange>& ranges,
                                    const std::vector<std::uint64_t>& clock_offsets,
                                    trace::Recorder& recorder) {
    State& state = *state_;
    state.result = {};
    state.recorder = &recorder;
    state.warp = nullptr;
    state.accesses.begin(streams, ranges, streams.blocks.size() == shape.grid.count(), recorder,
                         state.result);
    state.dynamic_shared_bytes = shape.dynamic_shared_bytes;
    state.grid_barrier = shape.grid_barrier;
    state.start(streams, clock_offsets);
    state.accesses.end_ranges();
    state.run_all();
    return state.result;
}

}  // namespace lanescope::gpu
