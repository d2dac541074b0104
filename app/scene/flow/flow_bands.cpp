#include "scene/flow/flow_bands.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "scene/flow/flow_maker.h"
#include "scene/words/cell_text.h"
#include "trace/cells.h"
#include "trace/replay.h"

namespace lanescope::scene {

using analysis::Flow;
using analysis::FlowGraph;
using analysis::FlowWrite;
using analysis::Operator;
using analysis::ValueId;

void FlowBands::below(std::uint32_t symbol, const std::vector<FlowPut>& results,
                      const std::vector<FlowPut>& by_time, const std::vector<std::uint32_t>& gone) {
    const auto number = static_cast<std::uint32_t>(figure_.rows.size());
    FlowRow row;
    row.array = row.title = trace_.symbols[symbol].name;
    double shift = 0;
    for (const FlowPut& put : results) {
        double middle = 0;
        for (const FlowSource& source : put.sources)
            middle += source.column;
        shift += middle / static_cast<double>(put.sources.size()) - put.column;
    }
    row.shift = static_cast<float>(std::round(shift / static_cast<double>(results.size())));
    row.first_turn = results.front().turn;
    std::set<std::pair<std::uint32_t, std::uint32_t>> threads;
    for (const FlowPut& put : results) {
        FlowCell cell;
        cell.column = put.column;
        cell.value = put.value;
        cell.thread = put.thread;
        cell.block = put.block;
        cell.turn = put.turn;
        cell.op = put.op;
        cell.first_edge = static_cast<std::uint32_t>(figure_.edges.size());
        for (const FlowSource& source : put.sources) {
            const std::uint32_t until = std::min(gone[source.put], figure_.end_own);
            const std::uint32_t from = std::max(until, by_time[source.put].row + 1) - 1;
            if (from < figure_.end_own)
                figure_.edges.push_back({from, source.column, number, put.column, analysis::is_copy(put.op)});
        }
        cell.end_edge = static_cast<std::uint32_t>(figure_.edges.size());
        row.first_turn = std::min(row.first_turn, put.turn);
        row.end_turn = std::max(row.end_turn, put.turn + 1);
        row.line = trace_.turns[put.turn].line;
        threads.emplace(put.block, put.thread);
        row.cells.push_back(std::move(cell));
    }
    row.threads = static_cast<std::uint32_t>(threads.size());
    describe(row, symbol, trace_.turns.size());
    widen(row);
    figure_.rows.push_back(std::move(row));
}

void FlowBands::above(const std::vector<FlowPut>& puts) {
    std::map<std::uint32_t, std::map<std::uint64_t, std::vector<const FlowPut*>>> used;  // symbol, cell
    for (const FlowPut& put : puts)
        for (const ValueId id : put.inputs) {
            const FlowGraph::Input input = flow_.graph.input(id);
            used[input.symbol][input.cell].push_back(&put);
        }
    for (const auto& [symbol, cells] : used)
        if (cells.size() <= most_band && cells.rbegin()->first < (1u << 20)) add_above(symbol, cells);
}

void FlowBands::add_above(std::uint32_t symbol, const Users& cells) {
    // One more row at the top: what was there moves down.
    for (FlowEdge& edge : figure_.edges)
        ++edge.from_row, ++edge.to_row;
    ++figure_.first_own;
    ++figure_.end_own;
    ++added_;
    FlowRow row;
    row.array = row.title = trace_.symbols[symbol].name;
    double shift = 0;
    std::size_t links = 0;
    const ValueId first = flow_.graph.first_input_of(symbol);
    for (const auto& [number, puts] : cells) {
        FlowCell cell;
        cell.column = static_cast<std::uint32_t>(number);
        cell.value = first + cell.column;
        cell.op = Operator::store;
        for (const FlowPut* put : puts) {
            shift += static_cast<double>(put->column) - static_cast<double>(number);
            ++links;
        }
        row.cells.push_back(std::move(cell));
    }
    row.shift = static_cast<float>(std::round(shift / static_cast<double>(std::max<std::size_t>(1, links))));
    describe(row, symbol, 0);
    widen(row);
    figure_.rows.insert(figure_.rows.begin(), std::move(row));
    add_edges_from(cells);
}

void FlowBands::add_edges_from(const Users& cells) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> ends;
    for (const auto& [number, puts] : cells)
        for (const FlowPut* put : puts)
            ends[{put->row + added_, put->column}].push_back(static_cast<std::uint32_t>(number));
    std::vector<FlowEdge> edges;
    for (std::uint32_t at = 0; at < figure_.rows.size(); ++at)
        for (FlowCell& cell : figure_.rows[at].cells) {
            const auto begin = static_cast<std::uint32_t>(edges.size());
            edges.insert(edges.end(), figure_.edges.begin() + cell.first_edge,
                         figure_.edges.begin() + cell.end_edge);
            if (const auto found = ends.find({at, cell.column}); found != ends.end() && figure_.is_own(at))
                for (const std::uint32_t column : found->second)
                    edges.push_back({0, column, at, cell.column, analysis::is_copy(cell.op)});
            cell.first_edge = begin;
            cell.end_edge = static_cast<std::uint32_t>(edges.size());
        }
    figure_.edges = std::move(edges);
}

void FlowBands::describe(FlowRow& row, std::uint32_t symbol, std::uint64_t position) const {
    const trace::Symbol& of = trace_.symbols[symbol];
    const trace::CellShape shape = trace::cell_shape(trace_, of);
    trace::Replay replay(std::shared_ptr<const trace::Trace>(std::shared_ptr<void>(), &trace_));
    replay.seek(position);
    analysis::Provenance provenance(trace_, flow_);
    for (FlowCell& cell : row.cells) {
        std::vector<std::byte> bytes(shape.cell_bytes);
        replay.read(of.space, 0, 0, of.offset + std::uint64_t{cell.column} * shape.cell_bytes, bytes);
        cell.text =
            cell_text(trace_.program.types, of.element, bytes, 7, {RealFormat::decimal, false, of.text});
        bool cut = false;
        const std::vector<ValueId> inputs = provenance.inputs(cell.value, 1 << 14, cut);
        if (!cut) cell.range = range_text(flow_.graph, inputs);
    }
}

void FlowBands::widen(const FlowRow& row) {
    figure_.left = std::min(figure_.left, static_cast<float>(row.cells.front().column) + row.shift);
    figure_.right = std::max(figure_.right, static_cast<float>(row.cells.back().column) + row.shift);
}

}  // namespace lanescope::scene
