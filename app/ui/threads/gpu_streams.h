// Records that a GPU's threads left in OpenGL buffers: the map of threads reads them there, so that they need
// not come to the host. The trace of the same run, which may hold fewer blocks, gives the lines and the
// position.
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
    std::uint32_t launch = 0;  // in it
    render::StreamBuffer buffer;
    std::vector<std::uint32_t> blocks;         // recorded ones, ascending; slot order
    std::vector<MapVariable> variables;        // in watched registers, as the records number them
    std::vector<std::uint64_t> clock_offsets;  // per SM: its clock at time 0
    std::vector<std::uint64_t>
        time_of_turn;  // per turn of the launch in the trace: when it ran, on that scale
};

}  // namespace lanescope::ui
