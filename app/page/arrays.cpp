#include "page/arrays.h"

#include <algorithm>

#include "trace/cells.h"

namespace lanescope::page {
namespace {

constexpr std::uint64_t whole_cells = 4096;     // up to here an array is held whole
constexpr std::uint64_t most_cells = 16384;     // of a larger one
constexpr std::uint64_t untouched_cells = 256;  // of a larger one that the block leaves alone
constexpr std::uint64_t row_cells = 32;

PageArray make_array(const trace::Trace& trace, const trace::Symbol& symbol, std::uint32_t launch) {
    PageArray array;
    array.symbol = &symbol;
    array.launch = launch;
    const trace::CellShape shape = trace::cell_shape(trace, symbol);
    array.cell_bytes = shape.cell_bytes;
    array.count = shape.count;
    array.columns = shape.columns;
    return array;
}

void note_touches(const trace::Trace& trace, std::span<const trace::Step> steps,
                  std::vector<PageArray>& arrays) {
    trace::TurnDetail detail;
    for (const trace::Step& step : steps)
        for (std::uint64_t turn = step.first; turn < step.end; ++turn) {
            if (trace.turns[turn].block != step.block) continue;
            trace::decode(trace, turn, detail);
            for (const trace::Access& access : detail.accesses)
                for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
                    if (!(access.mask >> lane & 1)) continue;
                    const Cells cells =
                        cells_at(arrays, step.launch, access.space, access.offset[lane], access.width_bytes);
                    if (cells.count == 0) continue;
                    PageArray& array = arrays[cells.array];
                    array.touched_first = std::min(array.touched_first, cells.first);
                    array.touched_end = std::max(array.touched_end, cells.first + cells.count);
                    (access.kind == trace::AccessKind::load ? array.loaded : array.stored) = true;
                }
        }
}

void choose_cells(PageArray& array) {
    array.end = array.count;
    if (array.count <= whole_cells || array.symbol->space == trace::Space::shared) return;
    if (!array.touched()) {
        array.end = untouched_cells;
        return;
    }
    const std::uint64_t row = array.columns && array.columns <= most_cells ? array.columns : row_cells;
    array.first = array.touched_first / row * row;
    const std::uint64_t rows_end = (array.touched_end + row - 1) / row * row;
    array.end = std::min({rows_end, array.count, array.first + most_cells / row * row});
}

bool wanted(const PageArray& array) {
    const std::string& name = array.symbol->name;
    if (array.count == 0) return false;
    if (array.symbol->buffer) return true;
    if (name.empty() || name[0] == '$' || name.starts_with("__")) return false;
    return array.launch != trace::none || array.touched();
}

int order_class(const PageArray& array) {
    if (array.symbol->space == trace::Space::shared) return 1;
    if (array.loaded) return 0;
    return array.touched() ? 2 : 3;
}

}  // namespace

std::vector<PageArray> page_arrays(const trace::Trace& trace, std::span<const trace::Step> steps) {
    std::vector<PageArray> arrays;
    for (const trace::Symbol& symbol : trace.symbols)
        arrays.push_back(make_array(trace, symbol, trace::none));
    std::uint32_t last = trace::none;
    for (const trace::Step& step : steps) {
        if (step.launch == last) continue;
        last = step.launch;
        for (const trace::Symbol& symbol : trace.launches[last].shared)
            arrays.push_back(make_array(trace, symbol, last));
    }
    note_touches(trace, steps, arrays);
    std::erase_if(arrays, [](const PageArray& array) { return !wanted(array); });
    std::stable_sort(arrays.begin(), arrays.end(),
                     [](const PageArray& a, const PageArray& b) { return order_class(a) < order_class(b); });
    for (PageArray& array : arrays)
        choose_cells(array);
    return arrays;
}

Cells cells_at(std::span<const PageArray> arrays, std::uint32_t launch, trace::Space space,
               std::uint64_t offset, unsigned width_bytes) {
    for (std::uint32_t i = 0; i < arrays.size(); ++i) {
        const PageArray& array = arrays[i];
        const trace::Symbol& symbol = *array.symbol;
        if (symbol.space != space || !array.exists_in(launch) || offset < symbol.offset ||
            offset - symbol.offset >= symbol.size_bytes)
            continue;
        const std::uint64_t first = (offset - symbol.offset) / array.cell_bytes;
        if (first >= array.count) continue;
        const std::uint64_t last =
            (offset - symbol.offset + std::max(width_bytes, 1u) - 1) / array.cell_bytes;
        return {i, first, static_cast<std::uint32_t>(std::min(last, array.count - 1) - first + 1)};
    }
    return {};
}

}  // namespace lanescope::page
