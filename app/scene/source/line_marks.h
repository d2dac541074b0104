// What the run says about a source line: how hot it is, which warps are there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "session/session.h"

namespace lanescope::scene {

// What the bars beside the lines of the source measure.
// Time: that of a GPU, see gpu_time.h. Registers: those in use at the line, by NVIDIA's assembler. The other
// ones are counted by the machine that ran the file.
enum class HeatMetric : std::uint8_t { executions, divergence, conflicts, sectors, time, registers };

// What the line costs by a metric, relative to the line that costs most: 0 (nothing) … 1, on a scale where a
// tenth still shows. The metrics: executions by warps; lanes that were off; wavefronts of shared memory and
// atomics beyond the first of each request; sectors of global memory. 0 for `time` and `registers`, which are
// not counted.
float heat_of(const session::Session& session, std::uint32_t line, HeatMetric metric);
double heat_amount(const analysis::LineMetrics& line, HeatMetric metric);
// The line's counts in words, for a tooltip; empty when the line never ran.
std::string heat_text(const session::Session& session, std::uint32_t line);

// Which registers the lines need.
struct LineRegisters {
    std::shared_ptr<const session::Resources> resources;  // null: `absent` says why
    std::string absent;                                   // also if only the lines are not known
};
LineRegisters line_registers(const session::Session& session);

struct WarpsOnLine {
    std::string active;   // "w0 w1", "w0–w7": warps with lanes that ran this line in this step
    std::string waiting;  // warps with lanes that go on here
};
WarpsOnLine warps_on_line(const session::Session& session, std::uint32_t line);

// "w0 w1", "w0–w31", "w0 w4–w7 …": ascending numbers in few characters.
std::string warp_ranges(const std::vector<std::uint32_t>& warps, std::size_t max_ranges = 3);

}  // namespace lanescope::scene
