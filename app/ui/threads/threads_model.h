// The data of a launch for the map of threads, made once: records, the meaning of each pc, lines, variables.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/code.h"
#include "render/thread_map.h"
#include "trace/streams.h"
#include "trace/trace.h"

namespace lanescope::ui {

struct MapLine {
    std::uint32_t line = 0;
    std::uint32_t colour = 0;
    std::string text;  // of the source, without its indentation
};

struct MapVariable {
    std::string name;
    std::vector<std::vector<render::WatchedRegister>> by_function;
};

struct ThreadsModel {
    trace::RecordStreams streams;  // points and variables; empty once they are on the GPU
    std::vector<render::CodePoint> code;
    std::vector<MapLine> lines;  // by rank
    std::vector<MapVariable> variables;
    std::string note;  // what is left out
};

// Makes the model with at most `max_bytes` of records. If they need more, it leaves out variables, then late
// records, then blocks far from the focus block; the note says so. Returns null if `cancelled` became true.
std::shared_ptr<ThreadsModel> build_threads_model(const trace::Trace& trace, const analysis::Code& code,
                                                  std::uint32_t launch, std::uint32_t focus_block,
                                                  std::uint64_t max_bytes,
                                                  const std::atomic<bool>* cancelled = nullptr);

// Makes the model without streams and variables, for records that are already on the GPU.
std::shared_ptr<ThreadsModel> build_threads_tables(const trace::Trace& trace, const analysis::Code& code,
                                                   std::uint32_t launch);

// Returns the variables that the map can show as colour: numbers in the registers that a GPU's records name,
// for each function and slot.
std::vector<MapVariable> map_variables(
    const trace::Program& program,
    const std::vector<std::vector<std::vector<std::uint32_t>>>& slot_registers);

// Returns the colour of a line of the launch's code; neighbours have distinct colours.
std::uint32_t line_colour(std::uint32_t rank);

}  // namespace lanescope::ui
