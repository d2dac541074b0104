// Records that a GPU's threads wrote into OpenGL buffers. The map of threads reads them there, so that they
// need not come to the host. Lines and position come from the trace of the same run, which may have fewer
// blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "render/stream_buffer.h"
#include "trace/trace.h"
#include "ui/threads/threads_model.h"

namespace lanescope::ui {

struct GpuStreams {
    std::shared_ptr<const trace::Trace> trace;  // of the run
    std::shared_ptr<const analysis::Code> instructions;
    std::uint32_t launch = 0;  // in the trace
    render::StreamBuffer buffer;
    std::vector<std::uint32_t> blocks;         // the recorded blocks, ascending, in the order of slots
    std::vector<MapVariable> variables;        // in watched registers, with the numbers of the records
    std::vector<std::uint64_t> clock_offsets;  // for each SM its clock at time 0
    std::vector<std::uint64_t> time_of_turn;   // for each turn of the launch in the trace, on that scale
};

}  // namespace lanescope::ui
