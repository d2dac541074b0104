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
#include <optional>
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
    bool arguments = false;    // of a child grid: pointers in it are shown as the trace has them
    // In shared memory: the rank of the block in its cluster. none: the block of the thread that uses the
    // address.
    std::uint32_t rank = trace::none;
    bool plain_too = false;  // the threads of that block have this address also without mapa
};

// Memory that threads of a launch take on the device: where the trace has it.
class LaunchMemory {
  public:
    virtual ~LaunchMemory() = default;
    // Returns nothing if the trace has no room for it.
    virtual std::optional<MappedRange> allocated(std::uint64_t gpu_address, std::uint64_t size_bytes,
                                                 trace::Recorder& recorder) = 0;
    virtual void released(std::uint64_t gpu_address) = 0;
    // Returns the range for the arguments of a child grid.
    virtual std::optional<MappedRange> arguments(std::uint64_t gpu_address, std::uint64_t size_bytes,
                                                 trace::Recorder& recorder) = 0;
};

// A grid that a thread launched.
struct DecodedChild {
    const simt::Kernel* kernel = nullptr;
    trace::Dim3 grid, block;
    std::uint64_t shared_bytes = 0;
    std::uint64_t first_slot = 0;  // among the records of its family
    std::uint64_t arguments = 0;   // in global memory of the trace
    std::uint32_t parent_block = 0;
    std::uint64_t turn = 0;  // of the trace, in which it was launched
    bool tail = false;
};

// What objects stand for, by the handles of the device; addresses are those of the trace.
struct ImageTable {
    std::map<std::uint64_t, simt::Texture> textures;
    std::map<std::uint64_t, simt::Image> surfaces;
};

// The inputs of a launch's decoder; all outlive it.
struct DecodedCode {
    const ptx::Module& module;
    const simt::Program& program;
    const Probes& probes;
    const simt::Kernel& kernel;
};

struct LaunchShape {
    trace::Launch launch;  // its extents
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint64_t grid_barrier = trace::none;  // where the trace has the grid's barrier, in global memory
};

// Where a thread stood when the launch was stopped.
struct Stop {
    std::uint32_t block = 0, thread = 0, pc = 0, line = 0;
    std::uint64_t turn = 0;  // its last, in the launch
};

// Accesses of one instruction to memory that the trace does not know: they are left out of it.
struct OutsideAccess {
    Stop first;  // the thread that did it first, its turn in the launch
    trace::AccessKind kind = trace::AccessKind::load;
    unsigned width_bytes = 0;
    std::uint64_t address = 0;  // of the first thread, on the device
    std::uint64_t count = 1;
    MappedRange nearest;  // the known memory beside the address; without bytes: none
};

struct DecodedLaunch {
    std::uint64_t warp_instructions = 0, thread_instructions = 0;  // of the recorded blocks
    std::vector<OutsideAccess> outside_accesses;                   // by time
    std::uint64_t unmapped = 0;  // uses of textures and surfaces that the trace does not know: left out
    std::uint64_t in_other_blocks = 0;  // asynchronous operations on other blocks' shared memory: left out
    std::uint64_t out_of_order = 0;     // loads whose value no recorded order explains
    std::uint32_t cut_threads = 0;      // streams that were longer than the buffer
    std::vector<std::uint64_t>
        turn_times;                      // of each turn: the clock when it began, from the launch's begin on
    std::vector<DecodedChild> children;  // in the order of their launches
    std::string damage;                  // the records do not fit the program: where; empty: they do
    // The first access outside of all memory that is known, and threads that did not end: the one that came
    // first to a last access, which has no record, and the one that went on longest.
    std::optional<Stop> outside, first_stop, last_stop;
    std::uint64_t outside_address = 0;
    std::vector<Stop> stops;  // of all threads that did not end
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
                         const std::vector<MappedRange>& ranges, const ImageTable& images,
                         LaunchMemory& memory, const std::vector<std::uint64_t>& clock_offsets,
                         trace::Recorder& recorder);

  private:
    const ptx::Module& module_;
    const simt::Program& program_;
    const Probes& probes_;
    const simt::Kernel& kernel_;
    MemoryImage& global_;
    MemoryImage& constant_;
};

}  // namespace lanescope::gpu
