#include "execution/run/step_place.h"

#include <algorithm>

namespace lanescope::execution {

Result<std::size_t> step_of_place(const lesson::StepPlace& place, const std::vector<trace::Step>& by_line,
                                  std::string_view source) {
    const Result<int> line = lesson::line_in(source, place.line);
    if (!line) return line.diagnostics();
    std::vector<std::size_t> visits;
    for (std::size_t i = 0; i < by_line.size(); ++i)
        if (by_line[i].line == static_cast<std::uint32_t>(*line)) visits.push_back(i);
    const auto count = static_cast<int>(visits.size());
    const int index = place.visit > 0 ? place.visit - 1 : count + place.visit;
    if (index < 0 || index >= count)
        return error("block " + std::to_string(place.block) + " has " + std::to_string(count) +
                     (count == 1 ? " step" : " steps") + " on line " + std::to_string(*line) + ", so visit " +
                     std::to_string(place.visit) + " does not exist");
    return visits[static_cast<std::size_t>(index)];
}

// Steps of a block that a launch does not have are those of another block.
static Result<void> block_exists(std::uint32_t block, const trace::Trace& trace) {
    std::uint64_t blocks = 0;
    for (const trace::Launch& launch : trace.launches) {
        if (launch.records(block)) return {};
        blocks = std::max<std::uint64_t>(blocks, launch.grid.count());
    }
    const std::string number = std::to_string(block);
    if (block < blocks)
        return error("block " + number + " is not recorded", "choose one of the first blocks");
    return error("the run has no block " + number,
                 "its blocks are 0 to " + std::to_string(blocks == 0 ? 0 : blocks - 1));
}

Result<PlacedStep> find_place(const lesson::StepPlace& place, const trace::Trace& trace,
                              std::string_view source) {
    const auto block = static_cast<std::uint32_t>(place.block);
    if (const Result<void> there = block_exists(block, trace); !there) return there.diagnostics();
    const Result<std::size_t> step =
        step_of_place(place, trace::build_steps(trace, block, trace::Granularity::line), source);
    if (!step) return step.diagnostics();
    return PlacedStep{block, *step};
}

std::optional<PlacedStep> place_to_look(const lesson::LessonEntry& entry, const trace::Trace& trace,
                                        std::string_view source) {
    if (entry.look_at) {
        const Result<PlacedStep> place = find_place(*entry.look_at, trace, source);
        return place ? std::optional(*place) : std::nullopt;
    }
    if (entry.look_step < 0) return std::nullopt;
    return PlacedStep{static_cast<std::uint32_t>(entry.look_block),
                      static_cast<std::size_t>(entry.look_step)};
}

std::vector<PhaseLine> phase_lines(const lesson::LessonEntry* entry, std::string_view source) {
    std::vector<PhaseLine> lines;
    if (entry == nullptr) return lines;
    for (const lesson::NamedPhase& phase : entry->phases)
        if (const Result<int> line = lesson::line_in(source, phase.line))
            lines.push_back({static_cast<std::uint32_t>(*line), phase.name});
    return lines;
}

}  // namespace lanescope::execution
