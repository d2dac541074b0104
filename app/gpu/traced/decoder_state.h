// What a launch decoder holds; its functions are in launch_decoder.cpp (who goes next, turns) and
// decoder_flow.cpp (variables, calls, barriers).
#pragma once

#include <array>
#include <bit>
#include <set>
#include <utility>
#include <vector>

#include "gpu/traced/access_decoder.h"
#include "gpu/traced/decoded_lane.h"
#include "gpu/traced/launch_decoder.h"

namespace lanescope::gpu {

template <class Visit>
void for_lanes(trace::Mask mask, Visit visit) {
    for (; mask != 0; mask &= mask - 1)
        visit(static_cast<unsigned>(std::countr_zero(mask)));
}
inline unsigned first_of(trace::Mask mask) {
    return static_cast<unsigned>(std::countr_zero(mask));
}

struct DecodedWarp {
    std::uint32_t block = 0, number = 0, place = 0;  // place: of its block among the recorded ones
    std::array<Lane*, 32> lanes{};
    trace::Mask exists = 0;
};

struct DecodedBarrier {
    std::uint32_t waiting = 0, passed = 0, expected = 0;
    std::vector<Lane*> lanes;
};

struct DecodedBlock {
    std::uint32_t live = 0;
    std::array<DecodedBarrier, 17> barriers;
};

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
    trace::Mask active = 0;
    std::uint32_t pc = 0, executed = 0;
    bool ended = false;
    trace::TurnEnd how = trace::TurnEnd::step;

    void start(const trace::RecordStreams& given, const std::vector<std::uint64_t>& clock_offsets);
    void start_lane(Lane& lane);
    void take_addresses(Lane& lane, std::uint32_t first_pc);
    void look_ahead(Lane& lane);
    trace::Mask ready_group(DecodedWarp& of, std::int64_t& when) const;
    void enqueue(DecodedWarp& of);
    void run_all();
    void run_turn(DecodedWarp& of, trace::Mask group);
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
    void drop(trace::Mask lanes_to_drop);

    void bind(std::uint32_t at);
    void take_values(trace::Mask mask, std::uint32_t at);
    void update(std::uint32_t slot, trace::Mask mask, std::uint32_t reg);
    bool holds_pointer(std::uint32_t function, std::uint32_t slot);
    void branch(const ptx::Instruction& made);
    void call();
    void leave(const ptx::Instruction& made, bool kernel_only);
    void leave_kernel(trace::Mask leaving);
    void return_from(trace::Mask mask);
    void barrier(const ptx::Instruction& made);
    std::uint32_t operand(const ptx::Instruction& made, std::size_t number);
    void release(std::uint32_t place, std::uint32_t number);
    void try_release(std::uint32_t place);
    void exchange();
    void set_next(trace::Mask mask, std::uint32_t to) {
        for_lanes(mask, [&](unsigned lane) { warp->lanes[lane]->pc = to; });
    }
    Lane& leader() { return *warp->lanes[first_of(active)]; }
    const simt::DecodedFunction& function_of(std::uint32_t at) const {
        return program.functions[program.function_of(at)];
    }
};

}  // namespace lanescope::gpu
