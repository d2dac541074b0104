#include "scene/flow/flow_figure.h"

#include <algorithm>
#include <map>
#include <utility>

#include "scene/flow/flow_bands.h"
#include "scene/flow/flow_collector.h"
#include "scene/flow/flow_maker.h"
#include "scene/flow/flow_rows.h"
#include "trace/cells.h"

namespace lanescope::scene {

using analysis::Flow;
using analysis::FlowGraph;
using analysis::FlowWrite;
using analysis::Operator;
using analysis::ValueId;

namespace {

// Whether the two halves of an array take turns: what is written to one comes from the other.
bool takes_turns(const std::vector<FlowPut>& puts, std::uint64_t cells) {
    if (cells < 4 || cells % 2 != 0) return false;
    const std::uint64_t half = cells / 2;
    std::uint64_t inner = 0, to_second = 0;
    for (const FlowPut& put : puts)
        for (const FlowSource& source : put.sources) {
            if (source.column / half == put.column / half) return false;
            ++inner;
            to_second += put.column / half;
        }
    return inner >= half && to_second > 0 && to_second < inner;
}

// Two arrays that are computed from each other alone share their columns.
std::optional<FlowArray> partner_of(const FlowArray& array, const std::vector<FlowArray>& all,
                                    const trace::Trace& trace, const Flow& flow, const FlowWanted& wanted) {
    for (const FlowArray& other : all) {
        if (other.lanes || other.cells != array.cells || other.space != array.space ||
            other.launch != array.launch || other.symbol == array.symbol)
            continue;
        FlowCollector both(trace, flow, wanted);
        FlowSegment second = segments_of(trace, other, 1)[0], first = segments_of(trace, array, 1)[0];
        first.columns = second.columns = array.cells * 2;
        both.memory({first, second});
        std::uint64_t across[2] = {0, 0};
        bool inside = false;
        for (const FlowPut& put : both.puts()) {
            const bool in_second = put.offset >= second.begin && put.offset < second.end;
            for (const FlowSource& source : put.sources) {
                if (source.put == no_put) continue;
                const std::uint64_t at = both.puts()[source.put].offset;
                const bool from_second = at >= second.begin && at < second.end;
                inside = inside || from_second == in_second;
                ++across[in_second ? 1 : 0];
            }
        }
        if (!inside && across[0] != 0 && across[1] != 0) return other;
    }
    return {};
}

void add_work(const trace::Trace& trace, const Flow& flow, FlowFigure& figure) {
    figure.operations = flow.graph.operations();
    analysis::Provenance provenance(trace, flow);
    for (std::uint32_t i = 0; i < flow.at_end.size(); ++i) {
        const trace::Symbol& symbol = trace.symbols[i];
        if (!symbol.buffer || flow.at_end[i].size() > 4096) continue;
        std::vector<analysis::Origin> origins;
        bool written = false;
        std::uint64_t steps = 1 << 22;
        for (const ValueId id : flow.at_end[i]) {
            written = written || flow.graph.is_node(id);
            figure.depth = std::max(figure.depth, flow.graph.depth(id));
        }
        if (!written) continue;
        for (const ValueId id : flow.at_end[i])
            origins.push_back(provenance.origin(id, steps / flow.at_end[i].size()));
        const analysis::BufferWork work = provenance.work(i, origins, steps);
        if (work.sequential &&
            (!figure.sequential || work.sequential->operations > figure.sequential->operations))
            figure.sequential = work.sequential;
    }
}

// The columns of a matrix that is declared with one dimension, from the matrix that it was loaded from: one
// step down there is the same distance here everywhere.
std::uint32_t width_from(const FlowFigure& figure, std::uint32_t loaded_from) {
    const std::uint32_t width = figure.rows[loaded_from].width;
    std::map<std::uint32_t, std::uint32_t> cells;  // here, by the cell there
    for (const FlowEdge& edge : figure.edges)
        if (edge.from_row == loaded_from && edge.copy && figure.is_own(edge.to_row))
            cells.try_emplace(edge.from_column, edge.to_column);
    std::uint32_t distance = 0;
    for (const auto& [there, here] : cells) {
        const auto below = cells.find(there + width);
        if (below == cells.end()) continue;
        if (below->second <= here || (distance != 0 && below->second - here != distance)) return 0;
        distance = below->second - here;
    }
    return distance;
}

// Whether rows are matrices, and how wide they are.
void shape_rows(FlowFigure& figure) {
    figure.array.flat = figure.array.width == 0;
    for (std::uint32_t i = 0; i < figure.rows.size() && figure.array.width == 0; ++i)
        if (!figure.is_own(i) && figure.rows[i].width > 1) figure.array.width = width_from(figure, i);
    if (figure.array.width < 2 || figure.columns <= figure.array.width) figure.array.width = 0;
    for (std::uint32_t i = figure.first_own; i < figure.end_own; ++i)
        figure.rows[i].width = figure.array.width;
}

// Rows of the arrays that the columns are loaded from, and of those that are made of them.
void add_bands(const trace::Trace& trace, const Flow& flow, FlowFigure& figure, FlowCollector& collector,
               const std::vector<FlowSegment>& segments, const FlowMaker& maker) {
    FlowBands bands(trace, flow, figure);
    for (std::uint32_t i = 0; i < trace.symbols.size(); ++i) {
        const bool own = std::any_of(segments.begin(), segments.end(), [&](const FlowSegment& segment) {
            return segment.space == trace::Space::global && segment.first_input == i;
        });
        if (own || trace.symbols[i].space != trace::Space::global) continue;
        const std::vector<FlowPut> results = collector.results(i);
        if (results.empty()) continue;
        if (!segments.empty()) bands.other_blocks(results, segments[0], maker);
        bands.below(i, results, collector.puts(), maker.gone_rows());
    }
    bands.above(collector.puts());
}

}  // namespace

FlowCell* FlowFigure::written(std::uint32_t row, std::uint32_t column) {
    std::vector<FlowCell>& cells = rows[row].cells;
    const auto found =
        std::lower_bound(cells.begin(), cells.end(), column,
                         [](const FlowCell& cell, std::uint32_t at) { return cell.column < at; });
    return found == cells.end() || found->column != column ? nullptr : &*found;
}

const FlowCell* FlowFigure::written(std::uint32_t row, std::uint32_t column) const {
    return const_cast<FlowFigure*>(this)->written(row, column);
}

std::uint32_t FlowFigure::widest() const {
    std::uint32_t most = columns;
    for (const FlowRow& row : rows)
        if (!row.cells.empty()) most = std::max(most, row.cells.back().column + 1);
    return most;
}

std::optional<std::uint32_t> FlowFigure::row_before(std::uint64_t turn) const {
    std::optional<std::uint32_t> found;
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        if (rows[row].end_turn != 0 && rows[row].repeat == 0 && rows[row].first_turn < turn) found = row;
    return found;
}

std::string FlowFigure::name(std::uint32_t row, std::uint32_t column) const {
    const FlowRow& of = rows[row];
    if (array.lanes && is_own(row))
        return "lane " + std::to_string(column % trace::warp_size) + " of warp " +
               std::to_string(column / trace::warp_size);
    const std::string& from = of.array.empty() ? array.name : of.array;
    if (of.width > 1 && !(is_own(row) && array.flat))
        return from + "[" + std::to_string(column / of.width) + "][" + std::to_string(column % of.width) +
               "]";
    if (of.repeat == 0) return from + "[" + std::to_string(column) + "]";
    const FlowCell* cell = written(row, column);
    return from + "[" + std::to_string(column % of.repeat) + "]" +
           (cell != nullptr ? " of block " + std::to_string(cell->block) : "");
}

const FlowCell* FlowFigure::seen(std::uint32_t row, std::uint32_t column) const {
    if (!is_own(row)) return written(row, column);
    for (std::uint32_t i = row + 1; i-- > first_own;)
        if (const FlowCell* cell = written(i, column)) return cell;
    return nullptr;
}

std::vector<FlowArray> flow_arrays(const trace::Trace& trace, const Flow& flow, const FlowWanted& wanted) {
    std::vector<FlowArray> arrays;
    const auto add = [&](const trace::Symbol& symbol, std::uint32_t number, std::uint32_t launch) {
        FlowArray array{symbol.name, symbol.space, launch,
                        number,      false,        trace::cell_shape(trace, symbol).count};
        array.width = static_cast<std::uint32_t>(trace::cell_shape(trace, symbol).columns);
        FlowCollector collector(trace, flow, wanted);
        collector.memory(segments_of(trace, array, 1));
        for (const FlowPut& put : collector.puts()) {
            ++array.writes;
            const bool from_others =
                std::any_of(put.sources.begin(), put.sources.end(), [&](const FlowSource& source) {
                    return source.put != no_put && source.column != put.column;
                });
            array.inner += from_others ? 1 : 0;
        }
        if (array.writes != 0 && array.cells != 0) arrays.push_back(array);
    };
    if (wanted.launch < trace.launches.size())
        for (std::uint32_t i = 0; i < trace.launches[wanted.launch].shared.size(); ++i)
            add(trace.launches[wanted.launch].shared[i], i, wanted.launch);
    for (std::uint32_t i = 0; i < trace.symbols.size(); ++i)
        if (trace.symbols[i].space == trace::Space::global) add(trace.symbols[i], i, trace::none);
    FlowCollector lanes(trace, flow, wanted);
    lanes.lanes();
    if (!lanes.puts().empty()) {
        FlowArray array;
        array.name = "lanes of block " + std::to_string(wanted.block);
        array.launch = wanted.launch;
        array.lanes = true;
        array.cells = trace.launches[wanted.launch].block.count();
        array.writes = array.inner = lanes.puts().size();
        arrays.push_back(array);
    }
    std::stable_sort(arrays.begin(), arrays.end(),
                     [](const FlowArray& a, const FlowArray& b) { return a.inner > b.inner; });
    return arrays;
}

std::shared_ptr<const FlowFigure> make_flow_figure(std::shared_ptr<const trace::Trace> trace,
                                                   const Flow& flow, const FlowWanted& wanted,
                                                   const std::atomic<bool>* cancelled) {
    auto figure = std::make_shared<FlowFigure>();
    const std::vector<FlowArray> arrays = flow_arrays(*trace, flow, wanted);
    const auto chosen = std::find_if(arrays.begin(), arrays.end(), [&](const FlowArray& array) {
        return wanted.array.empty() || array.name == wanted.array;
    });
    if (chosen == arrays.end()) {
        figure->note = arrays.empty() ? "this launch writes no array" : "there is no array " + wanted.array;
        return figure;
    }
    figure->array = *chosen;
    figure->threads = static_cast<std::uint32_t>(trace->launches[wanted.launch].block.count());
    std::vector<FlowSegment> segments;
    auto collector = std::make_unique<FlowCollector>(*trace, flow, wanted);
    if (chosen->lanes) {
        collector->lanes();
        figure->columns = static_cast<std::uint32_t>(chosen->cells);
    } else {
        segments = segments_of(*trace, *chosen, 1);
        collector->memory(segments);
        if (takes_turns(collector->puts(), chosen->cells)) {
            segments = segments_of(*trace, *chosen, 2);
        } else if (const std::optional<FlowArray> partner =
                       partner_of(*chosen, arrays, *trace, flow, wanted)) {
            segments.push_back(segments_of(*trace, *partner, 1)[0]);
            figure->array.name += ", " + partner->name;
        }
        figure->columns = static_cast<std::uint32_t>(segments[0].columns);
        collector = std::make_unique<FlowCollector>(*trace, flow, wanted);
        collector->memory(segments);
    }
    collector->merge_updates();
    if (!chosen->lanes) collector->begin_memory(analysis::Provenance(*trace, flow));
    std::vector<FlowPut>& puts = collector->puts();
    FlowRows rows(puts, figure->columns);
    rows.arrange();
    std::vector<FlowPut> sorted = puts;
    FlowMaker maker(trace, flow, wanted, cancelled);
    maker.fill(*figure, sorted, rows.count());
    maker.find_edges(*figure, puts, sorted);
    if (chosen->lanes)
        maker.write_lane_values(*figure, puts);
    else
        maker.write_values(*figure, sorted, segments);
    figure->end_own = static_cast<std::uint32_t>(figure->rows.size());
    figure->right = static_cast<float>(figure->columns) - 1;
    if (wanted.others) add_bands(*trace, flow, *figure, *collector, segments, maker);
    maker.write_facts(*figure);
    if (!chosen->lanes && segments.size() == 1 && figure->columns == chosen->cells)
        shape_rows(*figure);
    else
        figure->array.width = 0;
    add_work(*trace, flow, *figure);
    if (collector->cut()) figure->note = "only the first " + std::to_string(most_puts) + " writes";
    if (!flow.complete) figure->note = flow.incomplete;
    return figure;
}

}  // namespace lanescope::scene
