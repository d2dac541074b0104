#include "scene/stage/stage_arrays.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

#include "scene/stage/array_shapes.h"
#include "trace/cells.h"
#include "trace/names.h"

namespace lanescope::scene {

namespace {

using trace::AccessKind;
using trace::Space;

StageArray make_array(const trace::Trace& trace, const trace::Symbol& symbol, std::uint32_t launch) {
    StageArray array;
    array.symbol = &symbol;
    array.launch = launch;
    const trace::CellShape shape = trace::cell_shape(trace, symbol);
    array.cell_bytes = shape.cell_bytes;
    array.count = array.whole = shape.count;
    array.columns = shape.columns;
    if (array.is_matrix())
        array.view = ArrayView::matrix;
    else if (symbol.text)
        array.view = ArrayView::text;
    return array;
}

bool internal_name(const std::string& name) {
    return name.empty() || name[0] == '$' || name.starts_with("__");
}

// Longer launches are sampled at evenly spaced turns, because a block repeats what it does.
constexpr std::size_t looked_at_turns = 20000;

void note_inner_links(std::vector<StageArray>& arrays, const std::vector<CellSpan>& loads,
                      const CellSpan& store) {
    for (const CellSpan& load : loads)
        if (load.array == store.array && load.first != store.first)
            arrays[store.array].use.inner_links = true;
}

int order_class(const StageArray& array) {
    if (array.symbol->space == Space::shared) return 1;
    if (array.use.loaded) return 0;
    if (array.use.touched()) return 2;
    return array.symbol->space == Space::constant ? 0 : 3;
}

}  // namespace

void ArrayUse::touch(std::uint64_t from, std::uint64_t to) {
    first = std::min(first, from);
    last = std::max(last, to);
}

std::string StageArray::detail() const {
    std::string text = to_text(symbol->space);
    if (symbol->space == Space::shared) text += " · " + size_text(symbol->size_bytes);
    return text;
}

std::string StageArray::shape_text() const {
    if (!is_matrix()) return std::to_string(count) + (count == 1 ? " cell" : " cells");
    std::string text = std::to_string((count + columns - 1) / columns) + " × " + std::to_string(columns);
    if (axes.size() == 2) text += " (" + axes[0] + " × " + axes[1] + ")";
    return text;
}

std::string StageArray::used_text() const {
    if (count >= whole) return {};
    return std::to_string(count) + " of " + std::to_string(whole) + " cells used";
}

std::vector<StageArray> declared_arrays(const trace::Trace& trace, std::span<const std::uint32_t> launches) {
    std::vector<StageArray> arrays;
    for (const trace::Symbol& symbol : trace.symbols)
        arrays.push_back(make_array(trace, symbol, trace::none));
    for (const std::uint32_t launch : launches)
        for (const trace::Symbol& symbol : trace.launches[launch].shared)
            arrays.push_back(make_array(trace, symbol, launch));
    return arrays;
}

void note_use(const trace::TurnDetail& detail, std::uint32_t launch, std::vector<StageArray>& arrays) {
    std::array<std::vector<CellSpan>, trace::warp_size> loads;
    for (const trace::Access& access : detail.accesses) {
        if (access.space == Space::local) continue;
        ArrayUse request;  // what it touches of its first lane's array
        std::optional<std::uint32_t> of;
        for (unsigned lane = 0; lane < trace::warp_size; ++lane) {
            if (!(access.mask >> lane & 1)) continue;
            const CellSpan span = cells_at(arrays, access, lane, launch);
            if (span.count == 0) continue;
            ArrayUse& use = arrays[span.array].use;
            if (of.value_or(span.array) == span.array) {
                of = span.array;
                request.touch(span.first, span.first + span.count - 1);
                use.reach = std::max(use.reach, request.last - request.first + 1);
            }
            use.touch(span.first, span.first + span.count - 1);
            if (access.kind == AccessKind::load) {
                use.loaded = true;
                loads[lane].push_back(span);
            } else {
                (access.kind == AccessKind::store ? use.stored : use.updated) = true;
                ++(access.kind == AccessKind::store ? use.stores : use.updates);
                note_inner_links(arrays, loads[lane], span);
            }
        }
    }
}

void choose_arrays(std::vector<StageArray>& arrays) {
    std::erase_if(arrays, [](const StageArray& array) {
        if (array.count == 0) return true;
        const bool wanted =
            array.symbol->buffer || array.symbol->space == Space::shared || array.use.touched();
        return !wanted || (internal_name(array.symbol->name) && !array.symbol->buffer);
    });
    std::stable_sort(arrays.begin(), arrays.end(), [](const StageArray& a, const StageArray& b) {
        return order_class(a) < order_class(b);
    });
}

std::vector<StageArray> stage_arrays(const trace::Trace& trace, std::uint32_t launch,
                                     std::span<const std::uint64_t> turns,
                                     std::span<const lesson::ShapeInstance> given) {
    std::vector<std::uint32_t> launches;
    if (launch < trace.launches.size()) launches.push_back(launch);
    std::vector<StageArray> arrays = declared_arrays(trace, launches);
    trace::TurnDetail detail;
    ShapeWatch watch(trace);
    const std::size_t stride = std::max<std::size_t>(1, turns.size() / looked_at_turns);
    for (std::size_t i = 0; i < turns.size(); i += stride) {
        trace::decode(trace, turns[i], detail);
        note_use(detail, launch, arrays);
        watch.note(detail, arrays, launch);
    }
    watch.propose(arrays, stride == 1);
    apply_shapes(given, arrays);
    watch.align(given, arrays);
    choose_arrays(arrays);
    return arrays;
}

CellSpan cells_at(std::span<const StageArray> arrays, Space space, std::uint64_t offset, unsigned width_bytes,
                  std::uint32_t launch) {
    for (std::uint32_t i = 0; i < arrays.size(); ++i) {
        const StageArray& array = arrays[i];
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

CellSpan cells_at(std::span<const StageArray> arrays, const trace::Access& access, unsigned lane,
                  std::uint32_t launch) {
    if (access.owner != trace::none) return {};
    return cells_at(arrays, access.space, access.offset[lane], access.width_bytes, launch);
}

std::string size_text(std::uint64_t bytes) {
    constexpr std::array units{"B", "KB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    char text[32];
    const bool whole = value >= 100 || value == static_cast<double>(static_cast<std::uint64_t>(value));
    std::snprintf(text, sizeof text, whole ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

void note_copies(const trace::Launch& launch, std::uint32_t block, std::vector<StageArray>& arrays) {
    constexpr std::uint64_t most_copies = 4, most_cells = 64;
    const std::uint64_t blocks = launch.grid.count();
    if (blocks < 2 || !launch.recorded_blocks.empty()) return;
    for (StageArray& array : arrays) {
        if (array.symbol->space != trace::Space::shared || array.view != ArrayView::bars) continue;
        const std::uint64_t copies = std::min({blocks, most_copies, most_cells / array.count});
        if (copies < 2) continue;
        const std::uint64_t first = std::min(block / copies * copies, blocks - copies);
        for (std::uint64_t i = 0; i < copies; ++i)
            array.copies.push_back(static_cast<std::uint32_t>(first + i));
        array.own_copy = static_cast<std::uint32_t>(block - first);
    }
}

void note_value_links(const trace::Trace& trace, const analysis::Flow& flow, std::uint32_t block,
                      std::vector<StageArray>& arrays) {
    constexpr std::size_t most_writes = 100'000, most_values = 64;
    const analysis::FlowGraph& graph = flow.graph;
    const std::size_t count = std::min(most_writes, graph.writes().size());
    for (std::size_t i = 0; i < count; ++i) {
        const analysis::FlowWrite& write = graph.writes()[i];
        const auto place = [&](const analysis::FlowWrite& of) {
            const bool elsewhere = of.exchange || of.is_outside(block);
            return elsewhere
                       ? CellSpan{}
                       : cells_at(arrays, of.space, of.offset, of.width_bytes, trace.launch_of(of.turn));
        };
        const CellSpan to = place(write);
        if (to.count == 0 || arrays[to.array].use.inner_links) continue;
        std::vector<analysis::ValueId> open{graph.node(write.value).operands[0]};
        for (std::size_t values = 0; !open.empty() && values < most_values; ++values) {
            const analysis::ValueId id = open.back();
            open.pop_back();
            if (!graph.is_node(id)) continue;
            if (graph.op(id) == analysis::Operator::store) {
                const CellSpan from = place(graph.write_of(id));
                if (from.count != 0 && from.array == to.array && from.first != to.first)
                    arrays[to.array].use.inner_links = true;
                continue;
            }
            open.push_back(graph.node(id).operands[0]);
            if (!analysis::is_copy(graph.op(id)))
                open.insert(open.end(), {graph.node(id).operands[1], graph.node(id).operands[2]});
        }
    }
}

}  // namespace lanescope::scene
