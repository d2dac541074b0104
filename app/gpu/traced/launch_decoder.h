// Turns the streams of one recorded launch into turns and events of a trace.
//
// The streams say, per thread, where it came by and when, what it read and wrote, and what its variables
// became. The decoder walks the program's instructions along these records: lanes of a warp that passed a
// point at the same clock ran together; their turns are written in the order of the clock. Clocks of
// different SMs are compared through %globaltimer, which is coarse: where a load shows that another thread's
// store came first, that thread is written first.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpu/traced/memory_image.h"
#include "gpu/traced/probes.h"
#include "ptx/module.h"
#include "simt/program/program.h"
#include "simt/texture/texture.h"
#include "trace/recorder.h"
#include "trace/streams.h"

namespace lanescope::gpu {

// A piece of the GPU's memory and where the trace has it.
struct MappedRange {
    std::uint64_t gpu_address = 0;
    std::uint64_t size_bytes = 0;
    trace::Space space = trace::Space::global;
    std::uint64_t offset = 0;  // in its space
};

// By the handles of the device; addresses are those of the trace.
using TextureTable = std::map<std::uint64_t, simt::Texture>;

struct LaunchShape {
    trace::Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint64_t grid_barrier = trace::none;  // where the trace has the grid's barrier, in global memory
};

struct DecodedLaunch {
    std::uint64_t warp_instructions = 0, thread_instructions = 0;  // of the recorded blocks
    std::uint64_t unmapped = 0;      // accesses to memory that the trace does not know: left out
    std::uint64_t out_of_order = 0;  // loads whose value no recorded order explains
    std::uint32_t cut_threads = 0;   // streams that were longer than the buffer
    std::vector<std::uint64_t>
        turn_times;      // of each turn: the clock when it began, from the launch's begin on
    std::string damage;  // the records do not fit the program: where; empty: they do
};

class LaunchDecoder {
  public:
    // All outlive the decoder. `global` and `constant` hold the memory before the launch and, afterwards,
    // after it.
    LaunchDecoder(const ptx::Module& module, const simt::Program& program, const Probes& probes,
                  const simt::Kernel& kernel, MemoryImage& global, MemoryImage& constant)
        : module_(module),
          program_(program),
          probes_(probes),
          kernel_(kernel),
          global_(global),
          constant_(constant) {}

    // `ranges`: of global memory. Between recorder.begin_launch() and end_launch(). `clock_offsets`: per SM,
    // as of DeviceRecords.
    DecodedLaunch decode(const trace::RecordStreams& streams, const LaunchShape& shape,
                         const std::vector<MappedRange>& ranges, const TextureTable& textures,
                         const std::vector<std::uint64_t>& clock_offsets, trace::Recorder& recorder);

  private:
    const ptx::Module& module_;
    const simt::Program& program_;
    const Probes& probes_;
    const simt::Kernel& kernel_;
    MemoryImage& global_;
    MemoryImage& constant_;
};

}  // namespace lanescope::gpu
