// Decodes calls of CUDA's runtime by threads: memory that they allocate, and grids that they launch.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gpu/traced/operation_decoder.h"

namespace lanescope::gpu {

class CallDecoder {
  public:
    // All outlive it.
    CallDecoder(const DecodedCode& code, AccessDecoder& accesses, const trace::RecordStreams& streams,
                trace::Recorder& recorder, LaunchMemory& memory, DecodedLaunch& result)
        : code_(code),
          accesses_(accesses),
          streams_(streams),
          recorder_(recorder),
          memory_(memory),
          result_(result) {}

    // The device's address of a kernel, by its index in ptx::Module::functions.
    void note_kernel(std::uint64_t address, std::uint32_t function) { kernels_[address] = function; }
    // Takes the records of the arguments or of the result, if the step has any.
    void run(const DecodedStep& step);

  private:
    void arguments(const DecodedStep& step, simt::Builtin builtin);
    void results(const DecodedStep& step, simt::Builtin builtin);
    void allocate(const DecodedStep& step, unsigned lane, std::uint64_t address);
    void prepare(const DecodedStep& step, unsigned lane, std::uint64_t buffer, std::uint64_t first_slot);
    void launch(const DecodedStep& step, std::uint64_t buffer, std::uint64_t stream);

    DecodedCode code_;
    AccessDecoder& accesses_;
    const trace::RecordStreams& streams_;
    trace::Recorder& recorder_;
    LaunchMemory& memory_;
    DecodedLaunch& result_;
    std::map<std::uint64_t, std::uint32_t> kernels_;
    // Arguments of calls whose results are still to come, by lane.
    std::map<const Lane*, std::vector<std::uint64_t>> open_;
    std::map<std::uint64_t, DecodedChild> prepared_;  // by the device's buffer
};

}  // namespace lanescope::gpu
