// What the map of threads needs of a launch, made once: the records, what each pc means, the lines, the
// variables.
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
    trace::RecordStreams streams;  // points and variables; emptied once they are on the GPU
    std::vector<render::CodePoint> code;
    std::vector<MapLine> lines;  // by rank
    std::vector<MapVariable> variables;
    std::string note;  // what is left out, and why
};

// Records take at most so many bytes: else the blocks around the focus block are shown, or without variables,
// or up to some moment; the note says so. Null when `cancelled` became true.
std::shared_ptr<ThreadsModel> build_threads_model(const trace::Trace& trace, const analysis::Code& code,
                                                  std::uint32_t launch, std::uint32_t focus_block,
                                                  std::uint64_t max_bytes,
                                                  const std::atomic<bool>* cancelled = nullptr);

// The same for records that lie on the GPU already: without streams and variables.
std::shared_ptr<ThreadsModel> build_threads_tables(const trace::Trace& trace, const analysis::Code& code,
                                                   std::uint32_t launch);

// The numbers that the map can show as colour, in the registers that a GPU's records name: per function and
// slot.
std::vector<MapVariable> map_variables(
    const trace::Program& program,
    const std::vector<std::vector<std::vector<std::uint32_t>>>& slot_registers);

// Distinct for neighbours: which line of the launch's code has which colour.
std::uint32_t line_colour(std::uint32_t rank);

}  // namespace lanescope::ui
