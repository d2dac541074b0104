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

namespace {

constexpr std::size_t most_other_blocks = 3;

}  // namespace

void FlowBands::other_blocks(const std::vector<FlowPut>& results, const FlowSegment& segment,
                             const FlowMaker& maker) {
    std::map<std::uint32_t, std::map<std::uint32_t, ValueId>> blocks;  // by block and column
    for (const FlowPut& put : results)
        for (const ValueId id : put.others) {
            const FlowWrite& write = flow_.graph.write_of(id);
            const std::uint64_t cell = (write.offset - segment.begin) / segment.cell_bytes % segment.columns;
            blocks[write.block][static_cast<std::uint32_t>(cell)] = id;
        }
    trace::Replay replay(std::shared_ptr<const trace::Trace>(std::shared_ptr<void>(), &trace_));
    if (blocks.empty()) return;
    FlowRow row;
    row.array = segment.symbol->name;
    row.first_turn = ~0ull;
    std::uint32_t last = 0, shown = 0;
    for (const auto& [block, cells] : blocks)
        last = std::max(last, cells.rbegin()->first);
    row.repeat = last + 2;
    row.title = row.array + " of block" + (blocks.size() > 1 ? "s" : "");
    const auto number = static_cast<std::uint32_t>(figure_.rows.size());
    for (const auto& [block, cells] : blocks) {
        if (shown == most_other_blocks) break;
        row.title += (shown == 0 ? " " : ", ") + std::to_string(block);
        for (const auto& [column, id] : cells) {
            row.cells.push_back(cell_of_other(id, shown * row.repeat + column, segment, maker, replay));
            other_[id] = {number, row.cells.back().column};
            row.first_turn = std::min(row.first_turn, row.cells.back().turn);
            row.end_turn = std::max(row.end_turn, row.cells.back().turn + 1);
        }
        ++shown;
    }
    row.line = trace_.turns[row.first_turn].line;
    row.threads = static_cast<std::uint32_t>(row.cells.size());
    // Right of what this block has at the end.
    row.shift = figure_.rows.empty() ? 0 : static_cast<float>(figure_.rows.back().cells.back().column + 2);
    widen(row);
    figure_.rows.push_back(std::move(row));
    hidden_blocks_ = blocks.size() - std::min(blocks.size(), most_other_blocks);
}

FlowCell FlowBands::cell_of_other(ValueId id, std::uint32_t column, const FlowSegment& segment,
                                  const FlowMaker& maker, trace::Replay& replay) const {
    const FlowWrite& write = flow_.graph.write_of(id);
    FlowPut put;
    put.turn = write.turn;
    put.offset = write.offset;
    put.thread = write.thread;
    put.ordinal = write.ordinal;
    FlowCell cell;
    cell.column = column;
    cell.value = id;
    cell.thread = write.thread;
    cell.block = write.block;
    cell.turn = write.turn;
    cell.op = Operator::store;
    replay.seek(write.turn);
    if (const auto details = replay.details(write.turn, write.turn + 1, write.block); !details.empty())
        cell.text = maker.value_text(put, details.front(), {segment});
    return cell;
}

void FlowBands::below(std::uint32_t symbol, const std::vector<FlowPut>& results,
                      const std::vector<FlowPut>& by_time, const std::vector<std::uint32_t>& gone) {
    const auto number = static_cast<std::uint32_t>(figure_.rows.size());
    FlowRow row;
    row.array = row.title = trace_.symbols[symbol].name;
    double shift = 0;
    for (const FlowPut& put : results) {
        double middle = 0;
        std::size_t count = put.sources.size();
        for (const FlowSource& source : put.sources)
            middle += source.column;
        for (const ValueId id : put.others)
            if (const auto found = other_.find(id); found != other_.end()) {
                middle += found->second.second + figure_.rows[found->second.first].shift;
                ++count;
            }
        shift += middle / static_cast<double>(count) - put.column;
    }
    const double middle_shift = shift / static_cast<double>(results.size());
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
        for (const ValueId id : put.others)
            if (const auto found = other_.find(id); found != other_.end())
                figure_.edges.push_back({found->second.first, found->second.second, number, put.column,
                                         analysis::is_copy(put.op)});
        cell.end_edge = static_cast<std::uint32_t>(figure_.edges.size());
        row.first_turn = std::min(row.first_turn, put.turn);
        row.end_turn = std::max(row.end_turn, put.turn + 1);
        row.line = trace_.turns[put.turn].line;
        threads.emplace(put.block, put.thread);
        row.cells.push_back(std::move(cell));
    }
    row.threads = static_cast<std::uint32_t>(threads.size());
    if (hidden_blocks_ != 0)
        row.title += ", from " + std::to_string(hidden_blocks_) + " more " +
                     (hidden_blocks_ == 1 ? "block" : "blocks");
    row.shift = shift_inside(row, middle_shift);
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
        if (cells.size() <= band_limit(trace_, trace_.symbols[symbol]) && cells.rbegin()->first < (1u << 20))
            add_above(symbol, cells);
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
    row.shift = shift_inside(row, shift / static_cast<double>(std::max<std::size_t>(1, links)));
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
        if (cut) continue;
        cell.range = range_text(flow_.graph, inputs);
        mark_origin(cell, trace_, flow_.graph, inputs);
    }
    row.width = static_cast<std::uint32_t>(shape.columns);
}

// Whole columns; a row that fits into the figure stays inside.
float FlowBands::shift_inside(const FlowRow& row, double wanted) const {
    const double first = row.cells.front().column, last = row.cells.back().column;
    const double least = static_cast<double>(figure_.left) - first,
                 most = static_cast<double>(figure_.right) - last;
    return static_cast<float>(std::round(least <= most ? std::clamp(wanted, least, most) : wanted));
}

void FlowBands::widen(const FlowRow& row) {
    figure_.left = std::min(figure_.left, static_cast<float>(row.cells.front().column) + row.shift);
    figure_.right = std::max(figure_.right, static_cast<float>(row.cells.back().column) + row.shift);
}

}  // namespace lanescope::scene
