#include "scene/flow/flow_maker.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/metrics.h"
#include "scene/timeline/phase_names.h"
#include "scene/words/cell_text.h"
#include "trace/cells.h"

namespace lanescope::scene {

using analysis::Flow;
using analysis::FlowGraph;
using analysis::FlowWrite;
using analysis::Operator;
using analysis::ValueId;

namespace {

constexpr std::size_t most_rows = 1000, most_described = 8'000;

bool from_inside(const FlowPut& put) {
    return !put.sources.empty();
}

}  // namespace

void mark_origin(FlowCell& cell, const trace::Trace& trace, const FlowGraph& graph,
                 const std::vector<ValueId>& inputs) {
    if (inputs.empty()) return;
    const FlowGraph::Input first = graph.input(inputs.front()), last = graph.input(inputs.back());
    if (first.symbol != last.symbol) return;
    const trace::CellShape shape = trace::cell_shape(trace, trace.symbols[first.symbol]);
    const std::uint64_t columns = shape.columns > 1 ? shape.columns : std::max<std::uint64_t>(1, shape.count);
    const std::uint64_t rows = std::max<std::uint64_t>(1, shape.count / columns);
    const auto share = [](std::uint64_t a, std::uint64_t b, std::uint64_t of) {
        return of < 2 ? 0.5f : static_cast<float>(a + b) / (2 * static_cast<float>(of - 1));
    };
    cell.origin_x = share(first.cell % columns, last.cell % columns, columns);
    cell.origin_y = share(first.cell / columns, last.cell / columns, rows);
}

std::string range_text(const FlowGraph& graph, const std::vector<ValueId>& inputs) {
    if (inputs.empty()) return "–";
    const FlowGraph::Input first = graph.input(inputs.front()), last = graph.input(inputs.back());
    if (first.symbol != last.symbol || last.cell - first.cell + 1 != inputs.size())
        return inputs.size() == 2 && first.symbol == last.symbol
                   ? std::to_string(first.cell) + "," + std::to_string(last.cell)
                   : std::to_string(inputs.size()) + " in";
    return first.cell == last.cell ? std::to_string(first.cell)
                                   : std::to_string(first.cell) + "–" + std::to_string(last.cell);
}

void FlowMaker::fill(FlowFigure& figure, std::vector<FlowPut>& puts, std::uint32_t rows) {
    figure.rows.resize(std::min<std::size_t>(rows, most_rows));
    if (rows > most_rows)
        figure.note = "only the first " + std::to_string(most_rows) + " of " + std::to_string(rows) + " rows";
    std::stable_sort(puts.begin(), puts.end(), [](const FlowPut& a, const FlowPut& b) {
        return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    for (const FlowPut& put : puts)
        if (put.row < figure.rows.size()) add_cell(figure, put);
    for (FlowRow& row : figure.rows)
        describe(row);
    name_rows(figure);
    mark_used(figure);
    if (puts.size() <= most_described) find_ranges(figure);
}

void FlowMaker::find_edges(FlowFigure& figure, const std::vector<FlowPut>& by_time,
                           const std::vector<FlowPut>& sorted) {
    std::vector<std::uint32_t>& gone = gone_;
    gone.assign(by_time.size(), ~0u);
    std::vector<std::uint32_t> last(figure.columns, no_put);
    std::vector<std::uint32_t> order(by_time.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return by_time[a].row < by_time[b].row; });
    std::vector<std::uint32_t> first(figure.columns, ~0u);  // the row of a column's first put
    for (const std::uint32_t i : order) {
        const FlowPut& put = by_time[i];
        if (last[put.column] != no_put) gone[last[put.column]] = put.row;
        if (first[put.column] == ~0u) first[put.column] = put.row;
        last[put.column] = i;
    }
    for (const FlowPut& put : sorted) {
        if (put.row >= figure.rows.size()) break;
        FlowCell* cell = figure.written(put.row, put.column);
        if (cell == nullptr || cell->value != put.value) continue;
        cell->first_edge = static_cast<std::uint32_t>(figure.edges.size());
        for (const FlowSource& source : put.sources) {
            if (source.put == no_put || put.row == 0) continue;
            const std::uint32_t until = gone[source.put] == ~0u ? put.row : gone[source.put];
            const std::uint32_t from = std::max(std::min(until, put.row) - 1, by_time[source.put].row);
            if (from >= put.row) continue;
            figure.edges.push_back({from, source.column, put.row, put.column, analysis::is_copy(put.op)});
        }
        cell->end_edge = static_cast<std::uint32_t>(figure.edges.size());
    }
}

void FlowMaker::write_values(FlowFigure& figure, const std::vector<FlowPut>& sorted,
                             const std::vector<FlowSegment>& segments) {
    if (sorted.size() > most_described || segments.empty()) return;
    std::vector<const FlowPut*> by_turn;
    for (const FlowPut& put : sorted)
        by_turn.push_back(&put);
    std::stable_sort(by_turn.begin(), by_turn.end(),
                     [](const FlowPut* a, const FlowPut* b) { return a->turn < b->turn; });
    trace::Replay replay(trace_);
    std::vector<trace::TurnDetail> details;
    std::uint64_t turn = ~0ull;
    for (const FlowPut* put : by_turn) {
        if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) return;
        if (put->row >= figure.rows.size()) continue;
        if (put->turn == FlowCell::never) {
            write_input(figure, *put, replay);
            continue;
        }
        if (put->turn != turn) {
            turn = put->turn;
            replay.seek(turn);
            details = replay.details(turn, turn + 1, put->block);
        }
        FlowCell* cell = figure.written(put->row, put->column);
        if (cell == nullptr || cell->value != put->value || details.empty()) continue;
        cell->text = value_text(*put, details.front(), segments);
    }
}

void FlowMaker::add_cell(FlowFigure& figure, const FlowPut& put) const {
    FlowRow& row = figure.rows[put.row];
    // Two puts of one row and column cannot be: the later one would begin a row.
    FlowCell cell;
    cell.column = put.column;
    cell.value = put.value;
    cell.thread = put.thread;
    cell.block = put.block;
    cell.turn = put.turn;
    cell.op = put.op;
    cell.updates = put.updates;
    cell.earlier = put.earlier;
    cell.loaded = !from_inside(put);
    cell.held = put.initial;
    row.cells.push_back(std::move(cell));
    row.launch = put.launch;
    row.block = put.block;
    row.phase = put.phase;
    row.part = put.part;
}

void FlowMaker::describe(FlowRow& row) const {
    if (row.cells.empty()) return;
    std::map<std::uint32_t, unsigned> lines;
    std::set<std::pair<std::uint32_t, std::uint32_t>> threads;
    row.first_turn = ~0ull;
    for (const FlowCell& cell : row.cells) {
        if (cell.turn == FlowCell::never) continue;
        row.first_turn = std::min(row.first_turn, cell.earlier.empty() ? cell.turn : cell.earlier.front());
        row.end_turn = std::max(row.end_turn, cell.turn + 1);
        ++lines[trace_->turns[cell.turn].line];
        threads.emplace(cell.block, cell.thread);
    }
    row.threads = static_cast<std::uint32_t>(threads.size());
    if (lines.empty()) {
        row.first_turn = 0;
        return;
    }
    row.line = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
               })->first;
}

std::string FlowMaker::phase_name(const FlowRow& row) const {
    const trace::Launch& launch = trace_->launches[row.launch];
    std::uint64_t begin = launch.first_turn, end = launch.end_turn;
    for (const trace::BarrierRelease& release : trace_->releases) {
        if (release.block != row.block || release.turn < launch.first_turn) continue;
        if (release.turn > row.first_turn) {
            end = std::min(end, release.turn);
            break;
        }
        begin = release.turn;
    }
    for (std::uint64_t turn = begin; turn < end && !wanted_.named.empty(); ++turn)
        for (const execution::PhaseLine& named : wanted_.named)
            if (trace_->turns[turn].block == row.block && trace_->turns[turn].line == named.line)
                return named.name;
    return {};
}

void FlowMaker::name_rows(FlowFigure& figure) const {
    std::vector<PhaseSpan> spans;
    for (const FlowRow& row : figure.rows)
        spans.push_back({row.launch, row.block,
                         row.end_turn == 0 ? trace_->launches[row.launch].first_turn : row.first_turn});
    const std::vector<std::string> names = phase_names(*trace_, spans, cancelled_);
    for (std::size_t i = 0; i < figure.rows.size(); ++i) {
        FlowRow& row = figure.rows[i];
        const FlowGraph& graph = flow_.graph;
        const bool loads =
            std::all_of(row.cells.begin(), row.cells.end(),
                        [](const FlowCell& cell) { return cell.loaded && analysis::is_copy(cell.op); }) &&
            std::any_of(row.cells.begin(), row.cells.end(), [&](const FlowCell& cell) {
                return graph.is_node(cell.value) && graph.is_data(graph.node(cell.value).operands[0]);
            });
        const std::string variable = i < names.size() ? names[i] : "";
        // What follows in a phase without a round of its loop is not what the phase is named after.
        const std::string phase =
            row.end_turn != 0 && (row.part == 0 || !variable.empty()) ? phase_name(row) : "";
        const bool alone = std::count_if(figure.rows.begin(), figure.rows.end(),
                                         [&](const FlowRow& each) { return each.launch == row.launch; }) == 1;
        const std::string line = trace_->launches.size() < 2
                                     ? "line " + std::to_string(row.line)
                                     : "launch " + std::to_string(row.launch + 1) +
                                           (alone ? "" : ", line " + std::to_string(row.line));
        const bool held =
            std::all_of(row.cells.begin(), row.cells.end(), [](const FlowCell& cell) { return cell.held; });
        if (row.end_turn == 0)
            row.title = figure.array.name;
        else if (held && i > 0)
            row.title = "before " + line;
        else if (loads && (i == 0 || figure.rows[i - 1].end_turn == 0))
            row.title = figure.array.lanes ? "at first" : "load";
        else
            row.title = variable.empty() ? (phase.empty() ? line : phase)
                        : phase.empty()  ? variable
                                         : phase + ", " + variable;
    }
}

void FlowMaker::mark_used(FlowFigure& figure) const {
    const FlowGraph& graph = flow_.graph;
    std::vector<bool> used(graph.end());
    for (const std::vector<ValueId>& values : flow_.at_end)
        for (const ValueId id : values)
            used[id] = true;
    for (ValueId id = graph.end(); id-- > graph.first_node();) {
        if (!used[id]) continue;
        const FlowGraph::Node& node = graph.node(id);
        used[node.operands[0]] = true;
        if (analysis::is_copy(graph.op(id))) continue;
        used[node.operands[1]] = used[node.operands[2]] = true;
    }
    for (FlowRow& row : figure.rows)
        for (FlowCell& cell : row.cells)
            cell.used = cell.value == 0 || used[cell.value];
}

void FlowMaker::find_ranges(FlowFigure& figure) const {
    constexpr std::uint64_t most_steps = 1 << 14;
    analysis::Provenance provenance(*trace_, flow_);
    for (FlowRow& row : figure.rows)
        for (FlowCell& cell : row.cells) {
            if (cell.value == 0) continue;
            bool cut = false;
            const std::vector<ValueId> inputs = provenance.inputs(cell.value, most_steps, cut);
            if (cut) continue;
            cell.range = range_text(flow_.graph, inputs);
            mark_origin(cell, *trace_, flow_.graph, inputs);
        }
}

void FlowMaker::write_input(FlowFigure& figure, const FlowPut& put, trace::Replay& replay) const {
    FlowCell* cell = figure.written(put.row, put.column);
    if (cell == nullptr || !flow_.graph.is_input(put.value)) return;
    const FlowGraph::Input input = flow_.graph.input(put.value);
    const trace::Symbol& symbol = trace_->symbols[input.symbol];
    std::vector<std::byte> bytes(trace::cell_shape(*trace_, symbol).cell_bytes);
    if (replay.position() != 0) replay.seek(0);
    replay.read(symbol.space, 0, 0, symbol.offset + input.cell * bytes.size(), bytes);
    cell->text =
        cell_text(trace_->program.types, symbol.element, bytes, 7, {RealFormat::decimal, false, symbol.text});
}

void FlowMaker::write_facts(FlowFigure& figure) const {
    std::size_t left = most_described;
    for (FlowRow& row : figure.rows) {
        if (row.threads == 0) {
            row.facts = "at first";
            continue;
        }
        const bool one_block = std::all_of(row.cells.begin(), row.cells.end(), [&](const FlowCell& cell) {
            return cell.block == row.cells.front().block;
        });
        if (row.cells.size() <= left && row.array.empty()) {
            left -= row.cells.size();
            read_turns(row, figure.array);
        }
        row.facts = one_block && row.array.empty()
                        ? std::to_string(row.threads) + " of " + std::to_string(figure.threads) + " lanes on"
                        : std::to_string(row.threads) + (row.threads == 1 ? " thread" : " threads");
    }
}

// A store may fill cells of two rows; its lanes are on in both.
void FlowMaker::read_turns(FlowRow& row, const FlowArray& array) const {
    std::set<std::uint64_t> turns;
    for (const FlowCell& cell : row.cells)
        if (cell.turn != FlowCell::never) {
            turns.insert(cell.turn);
            turns.insert(cell.earlier.begin(), cell.earlier.end());
        }
    std::map<std::pair<std::uint32_t, std::uint32_t>, trace::Mask> lanes;  // by block and warp
    trace::TurnDetail detail;
    for (const std::uint64_t turn : turns) {
        trace::decode(*trace_, turn, detail);
        const trace::Turn& of = trace_->turns[turn];
        for (const trace::Access& access : detail.accesses) {
            if (access.space == trace::Space::shared && access.owner == trace::none)
                row.conflict = std::max(row.conflict, analysis::banks(access).degree);
            if (access.space == array.space && access.kind != trace::AccessKind::load)
                lanes[{of.block, of.warp}] |= access.mask;
        }
    }
    std::uint32_t on = 0;
    for (const auto& [warp, mask] : lanes)
        on += static_cast<std::uint32_t>(std::popcount(mask));
    row.threads = std::max(row.threads, on);
}

std::string FlowMaker::value_text(const FlowPut& put, const trace::TurnDetail& detail,
                                  const std::vector<FlowSegment>& segments) const {
    const unsigned lane = put.thread % trace::warp_size;
    for (const FlowSegment& segment : segments) {
        if (put.offset < segment.begin || put.offset >= segment.end) continue;
        const std::uint64_t cell = put.offset - (put.offset - segment.begin) % segment.cell_bytes;
        for (const trace::Access& access : detail.accesses) {
            if (access.ordinal != put.ordinal || access.kind == trace::AccessKind::load ||
                access.space != segment.space || (access.mask >> lane & 1) == 0)
                continue;
            const std::uint64_t at = access.offset[lane];
            if (cell < at || cell + segment.cell_bytes > at + access.width_bytes) continue;
            return cell_text(trace_->program.types, segment.symbol->element,
                             std::span(access.value[lane].data() + (cell - at), segment.cell_bytes), 7);
        }
    }
    return {};
}

}  // namespace lanescope::scene
