// Decodes instructions of which the operands are recorded (operands.h): textures, surfaces, matrices, and
// asynchronous copies with what tracks them. Their accesses are those that the CPU machine records: simt/exec
// and simt/state/async.h have the rules. An access to a surface of another shape than the instruction's is
// shown as if the shapes were the same.
//
// Inaccuracies: contents that a copy reads are those of the trace, which may be older where blocks are not
// recorded. Matrices of wmma lie in the registers as simt/inspect/matrix_layout.h says.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/traced/access_decoder.h"
#include "gpu/traced/async_copies.h"
#include "gpu/traced/launch_decoder.h"
#include "gpu/traced/operands.h"
#include "gpu/traced/warp_queue.h"
#include "simt/inspect/matrix_layout.h"

namespace lanescope::gpu {

// One instruction of lanes of a warp.
struct DecodedStep {
    DecodedWarp& warp;
    trace::Mask active = 0;
    std::uint32_t pc = 0;
    std::uint16_t ordinal = 0;
};

// What the lanes recorded: of[i][lane] of operand i.
struct OperandValues {
    trace::Mask lanes = 0;
    std::vector<std::array<std::uint64_t, 32>> of;
};
// Takes the records of `count` operands.
OperandValues take_operands(const DecodedStep& step, const trace::RecordStreams& streams, std::size_t count);

class OperationDecoder {
  public:
    // All outlive it.
    OperationDecoder(const DecodedCode& code, AccessDecoder& accesses, const trace::RecordStreams& streams,
                     trace::Recorder& recorder, const ImageTable& images)
        : program_(code.program),
          probes_(code.probes),
          accesses_(accesses),
          streams_(streams),
          recorder_(recorder),
          images_(images),
          copies_(accesses) {}

    // Takes the records of the operands and writes the events. False: it is another instruction.
    bool run(const DecodedStep& step, const ptx::Instruction& made);
    // Lanes leave the kernel in the running turn.
    void leave(const DecodedStep& step) { copies_.finish_all_stores(step); }
    void end_block(std::uint32_t block) { copies_.end_block(block); }

  private:
    using Values = OperandValues;
    void groups(const DecodedStep& step, const ptx::Instruction& made);

    void fetch(const DecodedStep& step, const Values& values);
    void fetch_from(const DecodedStep& step, const Values& values, trace::Mask lanes,
                    const simt::Texture& texture);
    void surface(const DecodedStep& step, const ptx::Instruction& made, const Values& values);
    void access_surface(const DecodedStep& step, const ptx::Instruction& made, const Values& values,
                        trace::Mask lanes, const simt::Image& image);
    void matrix_rows(const DecodedStep& step, const ptx::Instruction& made, const Values& values);
    void matrix(const DecodedStep& step, const ptx::Instruction& made, const Values& values);
    void copy(const DecodedStep& step, const ptx::Instruction& made, const Values& values);
    void bulk_copy(const DecodedStep& step, const ptx::Instruction& made, const Values& values);
    void barrier_object(const DecodedStep& step, const ptx::Instruction& made, const Values& values);
    void test_object(const DecodedStep& step, const Values& values);
    void change_objects(const DecodedStep& step, const ptx::Instruction& made, const Values& values);

    // Reads or writes with each lane's address on the GPU, once for each space.
    void access(const DecodedStep& step, trace::AccessKind kind, trace::Mask lanes, unsigned width,
                const std::array<std::uint64_t, 32>& addresses, const LaneBytes& bytes);
    // The offset of an access to the block's own shared memory; none: it goes elsewhere, which is noted.
    std::optional<std::uint64_t> in_shared(const DecodedStep& step, unsigned number, std::uint64_t address,
                                           trace::AccessKind kind, unsigned width);
    std::optional<std::uint64_t> in_object(const DecodedStep& step, unsigned number, std::uint64_t address) {
        return in_shared(step, number, address, trace::AccessKind::atomic, barrier_object_bytes);
    }

    const simt::Program& program_;
    const Probes& probes_;
    AccessDecoder& accesses_;
    const trace::RecordStreams& streams_;
    trace::Recorder& recorder_;
    const ImageTable& images_;
    AsyncCopies copies_;
};

}  // namespace lanescope::gpu
