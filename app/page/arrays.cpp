#include "page/arrays.h"

#include <algorithm>

#include "scene/stage/array_shapes.h"

namespace lanescope::page {
namespace {

constexpr std::uint64_t whole_cells = 4096;     // the page holds arrays of up to this size whole
constexpr std::uint64_t max_cells = 16384;      // held of a larger array
constexpr std::uint64_t untouched_cells = 256;  // held of a larger array that the block does not touch
constexpr std::uint64_t row_cells = 32;

HeldCells held_cells(const scene::StageArray& array) {
    if (array.count <= whole_cells || array.symbol->space == trace::Space::shared) return {0, array.count};
    if (!array.use.touched()) return {0, untouched_cells};
    const std::uint64_t row = array.columns && array.columns <= max_cells ? array.columns : row_cells;
    const std::uint64_t first = array.use.first / row * row;
    const std::uint64_t rows_end = (array.use.last + row) / row * row;
    return {first, std::min({rows_end, array.count, first + max_cells / row * row})};
}

}  // namespace

PageArrays page_arrays(const trace::Trace& trace, std::span<const trace::Step> steps,
                       std::span<const lesson::ShapeInstance> given, bool all_steps) {
    std::vector<std::uint32_t> launches;
    for (const trace::Step& step : steps)
        if (launches.empty() || launches.back() != step.launch) launches.push_back(step.launch);
    PageArrays page{scene::declared_arrays(trace, launches), {}};
    trace::TurnDetail detail;
    scene::ShapeWatch watch(trace);
    for (const trace::Step& step : steps)
        for (std::uint64_t turn = step.first; turn < step.end; ++turn) {
            if (trace.turns[turn].block != step.block) continue;
            trace::decode(trace, turn, detail);
            scene::note_use(detail, step.launch, page.arrays);
            watch.note(detail, page.arrays, step.launch);
        }
    watch.propose(page.arrays, all_steps);
    scene::apply_shapes(given, page.arrays);
    scene::choose_arrays(page.arrays);
    for (const scene::StageArray& array : page.arrays)
        page.held.push_back(held_cells(array));
    return page;
}

}  // namespace lanescope::page
