// Variables of lanes while a recorded launch is decoded: where they live, and what they become.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/traced/access_decoder.h"
#include "gpu/traced/warp_queue.h"

namespace lanescope::gpu {

class LaneVariables {
  public:
    // All outlive it.
    LaneVariables(const simt::Program& program, const AccessDecoder& accesses,
                  const trace::RecordStreams& streams, trace::Recorder& recorder)
        : program_(program), accesses_(accesses), streams_(streams), recorder_(recorder) {}

    // Variables that have a home at this instruction.
    void bind(DecodedWarp& warp, trace::Mask lanes, std::uint32_t pc);
    // What the instruction at `pc` wrote into registers, from the lanes' records.
    void take_values(DecodedWarp& warp, trace::Mask lanes, std::uint32_t pc);

  private:
    void update(DecodedWarp& warp, std::uint32_t function, std::uint32_t slot, trace::Mask lanes,
                std::uint32_t reg);
    bool holds_pointer(std::uint32_t function, std::uint32_t slot);

    const simt::Program& program_;
    const AccessDecoder& accesses_;
    const trace::RecordStreams& streams_;
    trace::Recorder& recorder_;
    std::vector<std::vector<bool>> pointers_;  // per function and slot: the variable is a pointer
};

}  // namespace lanescope::gpu
