// Turns of a recorded launch: lanes of a warp walk the program along their records until the turn ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gpu/traced/access_decoder.h"
#include "gpu/traced/call_decoder.h"
#include "gpu/traced/lane_variables.h"
#include "gpu/traced/launch_decoder.h"
#include "gpu/traced/operation_decoder.h"
#include "gpu/traced/warp_queue.h"

namespace lanescope::gpu {

class TurnDecoder {
  public:
    // All outlive it. `result` receives the sums over all turns.
    TurnDecoder(const DecodedCode& code, const LaunchShape& shape, const trace::RecordStreams& streams,
                const ImageTable& images, LaunchMemory& memory, WarpQueue& queue, AccessDecoder& accesses,
                trace::Recorder& recorder, DecodedLaunch& result)
        : code_(code),
          shape_(shape),
          streams_(streams),
          queue_(queue),
          accesses_(accesses),
          recorder_(recorder),
          result_(result),
          variables_(code.program, accesses, streams, recorder),
          operations_(code, accesses, streams, recorder, images),
          calls_(code, accesses, streams, recorder, memory, result) {}

    void take_symbols();          // before the first lane
    void start_lane(Lane& lane);  // at the kernel's first instruction; tells where memory lies
    void run(DecodedWarp& warp, trace::Mask group);

  private:
    bool names_symbol(std::uint32_t number, const simt::DecodedFunction& function) const;
    void take_addresses(Lane& lane, std::uint32_t first_pc, const trace::RecordStreams& streams);
    void add_shared(const simt::Kernel::Placed& placed, std::uint32_t block, std::uint64_t own,
                    std::optional<std::uint64_t> mapped);
    void join_next_step();
    void step();
    void execute(const ptx::Instruction* made);
    void finish_instruction(std::uint32_t from);
    bool cross_point();
    bool begins_step(std::uint32_t from, std::uint32_t to) const;
    void exchange();
    void branch(const ptx::Instruction& made);
    void call();
    void leave(const ptx::Instruction& made, bool kernel_only);
    void leave_kernel(trace::Mask leaving);
    void return_from(trace::Mask mask);
    void drop(trace::Mask lanes);
    void drop_damaged(Lane& lane, const std::string& expected);
    bool stays_in_code(std::uint32_t from);
    void barrier(const ptx::Instruction& made);
    void cluster_barrier(bool arrives);
    std::uint32_t operand(const ptx::Instruction& made, std::size_t number);

    void end(trace::TurnEnd how) { ended_ = true, how_ = how; }
    void set_next(trace::Mask mask, std::uint32_t to) {
        each_lane(mask, [&](unsigned lane) { warp_->lanes[lane]->pc = to; });
    }
    Lane& leader() const { return *warp_->lanes[static_cast<unsigned>(std::countr_zero(active_))]; }
    const simt::DecodedFunction& function_of(std::uint32_t pc) const {
        return code_.program.functions[code_.program.function_of(pc)];
    }

    DecodedCode code_;
    LaunchShape shape_;
    const trace::RecordStreams& streams_;
    WarpQueue& queue_;
    AccessDecoder& accesses_;
    trace::Recorder& recorder_;
    DecodedLaunch& result_;
    LaneVariables variables_;
    OperationDecoder operations_;
    CallDecoder calls_;

    // The running turn.
    DecodedWarp* warp_ = nullptr;
    trace::Mask active_ = 0;
    std::uint32_t pc_ = 0, executed_ = 0;
    bool ended_ = false;
    trace::TurnEnd how_ = trace::TurnEnd::step;
};

}  // namespace lanescope::gpu
