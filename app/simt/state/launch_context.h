// A launch while it runs: the state that its warps share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simt/launch/launch.h"
#include "simt/launch/schedule.h"
#include "simt/memory/memory.h"
#include "simt/program/program.h"
#include "simt/state/faults.h"
#include "simt/state/frame_pool.h"
#include "trace/recorder.h"

namespace lanescope::simt {

constexpr std::uint32_t multiprocessors = 132;  // what %nsmid says

class ChildLaunches;

struct LaunchContext {
    const Program& program;
    const Kernel& kernel;
    const LaunchRequest& request;
    const Limits& limits;
    Arena& global;
    Arena& constant;
    const ImageObjects& images;
    Budget& budget;
    Budget& heap;
    Problems& problems;
    std::string& console;
    FramePool frames{program, budget};
    trace::Recorder* recorder = nullptr;  // null: untraced, or the trace is full
    std::uint32_t launch = 0;             // number of this launch
    bool traced = false;                  // uses the traced code
    ThreadChooser* chooser = nullptr;     // every thread is scheduled on its own; else null
    SideEffects* effects = nullptr;       // what the running turn does; null: not needed

    std::vector<std::byte> parameters = {};
    Region parameter_region = {};
    std::vector<std::uint64_t> launch_rows = {};
    std::vector<std::uint64_t> warp_rows = {};
    std::vector<trace::Symbol> shared_symbols = {};
    std::uint32_t shared_bytes = 0;
    trace::Dim3 cluster = {};  // blocks of a cluster

    std::uint64_t first_block = 0, end_block = 0;  // those to run
    bool concurrent = false;                       // other threads run blocks of this launch, too

    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;
    std::uint64_t last_clock = 0;  // clock reads never give the same value twice, unless the clock stands
    std::uint64_t clock_skew = 0;  // time that passed while all threads polled
    bool clock_stands = false;     // whether what polls would ever end; see StallDetector
    std::uint32_t device_allocations = 0;
    std::uint64_t workspace = 0;  // address of the grid's barrier; 0: the launch is not cooperative
    TypeId byte_type = 0;
    ChildLaunches* children = nullptr;       // what this grid launches
    std::uint64_t earlier_instructions = 0;  // of the grids that led to this one
    bool fatal = false;                      // something happened that ends a kernel on hardware

    bool by_thread() const { return chooser != nullptr; }
    const Decoded* code() const { return traced ? program.traced_code.data() : program.code.data(); }
    // Pieces of an instruction lie outside of the code and say where they belong.
    std::uint32_t pc_of(const Decoded& decoded) const {
        const std::less<const Decoded*> before;
        const Decoded* const first = code();
        if (before(&decoded, first) || !before(&decoded, first + program.code.size())) return decoded.target;
        return static_cast<std::uint32_t>(&decoded - first);
    }
    std::byte* warp_rows_of(std::uint32_t warp) {
        return reinterpret_cast<std::byte*>(warp_rows.data()) +
               std::size_t{warp} * static_cast<std::size_t>(WarpRow::count) * row4_bytes;
    }
    // Notes that the running turn did something outside of memory whose order matters.
    void note_side_effect(SideEffect::Place place, std::uint32_t block = 0, std::uint64_t offset = 0) {
        if (effects != nullptr) effects->push_back({place, true, block, offset, 1});
    }
    void write_console(std::string_view text, std::uint32_t block, std::uint32_t thread);
};

}  // namespace lanescope::simt
