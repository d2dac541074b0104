#include "scene/flow/flow_figure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "scene/timeline/phase_names.h"
#include "scene/words/cell_text.h"
#include "trace/cells.h"
#include "trace/replay.h"

namespace lanescope::scene {

namespace {

using analysis::Flow;
using analysis::FlowGraph;
using analysis::FlowWrite;
using analysis::Operator;
using analysis::ValueId;

constexpr std::size_t most_puts = 40'000, most_rows = 1000, most_described = 8'000;
constexpr std::size_t most_sources = 64;  // of one written cell
constexpr std::size_t most_band = 512;    // cells of another array
constexpr std::uint32_t no_put = ~0u;

// Memory whose cells are columns.
struct Segment {
    trace::Space space{};
    std::uint32_t launch = trace::none;
    std::uint64_t begin = 0, end = 0;  // bytes
    std::uint32_t cell_bytes = 1;
    const trace::Symbol* symbol = nullptr;
    std::uint32_t first_input = 0;  // symbol of the trace, for the inputs of global memory
    std::uint64_t columns = 0;      // of the figure; a cell's number wraps at it
};

// Where a value was computed from: an earlier put, or what a column held at the beginning.
struct Source {
    std::uint32_t put = no_put;
    std::uint32_t column = 0;
};

struct Put {
    std::uint32_t column = 0, thread = 0, block = 0, launch = 0, phase = 0, part = 0, row = 0;
    ValueId value = 0;
    std::uint64_t turn = 0, offset = 0;
    std::uint16_t ordinal = 0;
    std::uint8_t width = 0;
    Operator op = Operator::store;
    bool initial = false;  // what a lane held before the first exchange
    bool atomic = false;
    std::uint32_t updates = 1;
    std::vector<Source> sources;
    std::vector<ValueId> inputs;  // of other arrays
};

const trace::Symbol& symbol_of(const trace::Trace& trace, const FlowArray& array) {
    return array.launch == trace::none ? trace.symbols[array.symbol]
                                       : trace.launches[array.launch].shared[array.symbol];
}

std::vector<Segment> segments_of(const trace::Trace& trace, const FlowArray& array, unsigned halves) {
    const trace::Symbol& symbol = symbol_of(trace, array);
    const trace::CellShape shape = trace::cell_shape(trace, symbol);
    Segment segment;
    segment.space = symbol.space;
    segment.launch = array.launch;
    segment.begin = symbol.offset;
    segment.end = symbol.offset + shape.count * shape.cell_bytes;
    segment.cell_bytes = shape.cell_bytes;
    segment.symbol = &symbol;
    segment.first_input = array.symbol;
    segment.columns = std::max<std::uint64_t>(1, shape.count / halves);
    return {segment};
}

// Collects what is written to the columns, in the order in which it happened, and what it was computed from.
class Collector {
  public:
    Collector(const trace::Trace& trace, const Flow& flow, const FlowWanted& wanted)
        : trace_(trace), graph_(flow.graph), wanted_(wanted) {
        for (const trace::BarrierRelease& release : trace.releases)
            releases_[release.block].push_back(release.turn);
    }

    void memory(const std::vector<Segment>& segments) {
        segments_ = segments;
        for (const FlowWrite& write : graph_.writes()) {
            if (write.exchange) continue;
            for (const Segment& segment : segments_) {
                if (write.space != segment.space || write.offset < segment.begin ||
                    write.offset >= segment.end)
                    continue;
                if (segment.space == trace::Space::shared &&
                    (write.block != wanted_.block || trace_.launch_of(write.turn) != segment.launch))
                    continue;
                if (!add(write, column(segment, write.offset))) return;
            }
        }
        for (Put& put : puts_) {
            find_sources(put);
            put.op = operator_of(put.value);
        }
    }

    // Operations on what came from another lane of this block.
    void lanes() {
        lanes_ = true;
        const std::vector<FlowWrite>& writes = graph_.writes();
        std::set<std::uint32_t> begun;
        for (ValueId id = graph_.first_node(); id < graph_.end(); ++id) {
            const Operator op = graph_.op(id);
            if (!analysis::is_operation(op)) continue;
            const std::optional<std::uint32_t> number = received_by(id);
            if (!number) continue;
            const FlowWrite& write = writes[*number];
            if (write.block != wanted_.block || trace_.launch_of(write.turn) != wanted_.launch) continue;
            FlowWrite made = write;
            made.value = id;
            if (!add(made, write.thread)) return;
            puts_.back().op = op;
            find_sources(puts_.back());
        }
        begin_lanes();
    }

    // What is written to another array, computed from the puts.
    std::vector<Put> results(std::uint32_t symbol) {
        const trace::Symbol& of = trace_.symbols[symbol];
        const std::uint32_t cell = trace::cell_shape(trace_, of).cell_bytes;
        std::map<std::uint32_t, Put> last;
        for (const FlowWrite& write : graph_.writes()) {
            if (write.exchange || write.space != of.space || write.offset < of.offset ||
                write.offset >= of.offset + of.size_bytes)
                continue;
            Put put;
            put.column = static_cast<std::uint32_t>((write.offset - of.offset) / cell);
            put.thread = write.thread;
            put.block = write.block;
            put.value = write.value;
            put.turn = write.turn;
            put.offset = write.offset;
            put.ordinal = write.ordinal;
            put.width = write.width_bytes;
            put.launch = trace_.launch_of(write.turn);
            find_sources(put);
            put.op = operator_of(put.value);
            std::erase_if(put.sources, [](const Source& source) { return source.put == no_put; });
            if (put.sources.empty()) continue;
            last[put.column] = std::move(put);
            if (last.size() > most_band) return {};
        }
        std::vector<Put> found;
        for (auto& [column, put] : last)
            found.push_back(std::move(put));
        return found;
    }

    // Atomic updates of one cell that nothing reads in between become one.
    void merge_updates() {
        std::vector<std::uint32_t> readers(puts_.size()), last(columns(), no_put);
        for (const Put& put : puts_)
            for (const Source& source : put.sources)
                if (source.put != no_put) ++readers[source.put];
        std::vector<bool> gone(puts_.size());
        for (std::uint32_t i = 0; i < puts_.size(); ++i) {
            Put& put = puts_[i];
            const std::uint32_t before = std::exchange(last[put.column], i);
            if (before == no_put || !put.atomic || !puts_[before].atomic || puts_[before].op != put.op ||
                puts_[before].launch != put.launch || puts_[before].phase != put.phase ||
                readers[before] != 1)
                continue;
            const auto own = std::find_if(put.sources.begin(), put.sources.end(),
                                          [&](const Source& source) { return source.put == before; });
            if (own == put.sources.end()) continue;
            put.sources.erase(own);
            Put& earlier = puts_[before];
            put.updates += earlier.updates;
            put.sources.insert(put.sources.end(), earlier.sources.begin(), earlier.sources.end());
            put.inputs.insert(put.inputs.end(), earlier.inputs.begin(), earlier.inputs.end());
            gone[before] = true;
        }
        std::vector<std::uint32_t> number(puts_.size(), no_put);
        std::vector<Put> left;
        for (std::uint32_t i = 0; i < puts_.size(); ++i) {
            if (gone[i]) continue;
            number[i] = static_cast<std::uint32_t>(left.size());
            left.push_back(std::move(puts_[i]));
        }
        for (Put& put : left)
            for (Source& source : put.sources)
                if (source.put != no_put) source.put = number[source.put];
        for (auto& [value, at] : number_)
            at = number[at];
        puts_ = std::move(left);
    }

    std::vector<Put>& puts() { return puts_; }
    bool cut() const { return cut_; }

  private:
    std::size_t columns() const {
        std::uint32_t most = 0;
        for (const Put& put : puts_)
            most = std::max(most, put.column + 1);
        return most;
    }

    static std::uint32_t column(const Segment& segment, std::uint64_t offset) {
        return static_cast<std::uint32_t>((offset - segment.begin) / segment.cell_bytes % segment.columns);
    }

    bool add(const FlowWrite& write, std::uint32_t at_column) {
        if (puts_.size() >= most_puts) return cut_ = true, false;
        Put put;
        put.column = at_column;
        put.thread = write.thread;
        put.block = write.block;
        put.value = write.value;
        put.turn = write.turn;
        put.offset = write.offset;
        put.ordinal = write.ordinal;
        put.width = write.width_bytes;
        put.atomic = write.atomic;
        put.launch = trace_.launch_of(write.turn);
        put.phase = phase_of(put);
        number_[write.value] = static_cast<std::uint32_t>(puts_.size());
        puts_.push_back(std::move(put));
        return true;
    }

    std::uint32_t phase_of(const Put& put) const {
        const auto found = releases_.find(put.block);
        if (found == releases_.end()) return 0;
        const std::vector<std::uint64_t>& turns = found->second;
        const std::uint64_t first = trace_.launches[put.launch].first_turn;
        return static_cast<std::uint32_t>(std::upper_bound(turns.begin(), turns.end(), put.turn) -
                                          std::upper_bound(turns.begin(), turns.end(), first));
    }

    // The number of the exchange whose value the operation takes.
    std::optional<std::uint32_t> received_by(ValueId id) const {
        for (const ValueId operand : graph_.node(id).operands)
            if (const std::optional<std::uint32_t> number = exchange_in(operand, 0)) return number;
        return {};
    }
    std::optional<std::uint32_t> exchange_in(ValueId id, int depth) const {
        if (!graph_.is_node(id) || depth > 4) return {};
        const FlowGraph::Node& node = graph_.node(id);
        switch (graph_.op(id)) {
            case Operator::exchange:
                return node.operands[1];
            case Operator::select:
            case Operator::pair:
                if (const auto found = exchange_in(node.operands[0], depth + 1)) return found;
                return exchange_in(node.operands[1], depth + 1);
            default:
                return {};
        }
    }

    Operator operator_of(ValueId store) const {
        ValueId id = graph_.node(store).operands[0];
        while (graph_.is_node(id) && graph_.op(id) == Operator::select)
            id = graph_.is_node(graph_.node(id).operands[0]) ? graph_.node(id).operands[0]
                                                             : graph_.node(id).operands[1];
        if (!graph_.is_node(id) || analysis::is_copy(graph_.op(id))) return Operator::store;
        return graph_.op(id);
    }

    void find_sources(Put& put) {
        std::vector<std::pair<ValueId, std::uint32_t>> open;  // a value, and the lane that holds it
        const FlowGraph::Node& node = graph_.node(put.value);
        open.emplace_back(node.operands[0], put.column);
        if (!analysis::is_copy(graph_.op(put.value))) {
            open.emplace_back(node.operands[1], put.column);
            open.emplace_back(node.operands[2], put.column);
        }
        std::set<ValueId> seen;
        while (!open.empty() && put.sources.size() < most_sources && seen.size() < 4096) {
            const auto [id, lane] = open.back();
            open.pop_back();
            if (const auto known = number_.find(id); known != number_.end() && known->second != no_put) {
                put.sources.push_back({known->second, puts_[known->second].column});
                continue;
            }
            if (!graph_.is_data(id) || !seen.insert(id).second) continue;
            if (graph_.is_input(id)) {
                add_input(id, lane, put);
                continue;
            }
            if (!graph_.is_node(id)) continue;
            const Operator op = graph_.op(id);
            if (op == Operator::store) {  // of other memory
                if (lanes_) put.sources.push_back({no_put, lane});
                continue;
            }
            if (op == Operator::exchange) {
                open.emplace_back(graph_.node(id).operands[0],
                                  static_cast<std::uint32_t>(graph_.write_of(id).offset));
                continue;
            }
            if (lanes_ && analysis::is_operation(op)) {  // made by the lane alone
                put.sources.push_back({no_put, lane});
                continue;
            }
            for (const ValueId operand : graph_.node(id).operands)
                open.emplace_back(operand, lane);
        }
        std::sort(put.sources.begin(), put.sources.end(), [](const Source& a, const Source& b) {
            return std::tie(a.column, a.put) < std::tie(b.column, b.put);
        });
        put.sources.erase(std::unique(put.sources.begin(), put.sources.end(),
                                      [](const Source& a, const Source& b) {
                                          return a.column == b.column && a.put == b.put;
                                      }),
                          put.sources.end());
    }

    void add_input(ValueId id, std::uint32_t lane, Put& put) {
        if (lanes_) {
            put.sources.push_back({no_put, lane});
            return;
        }
        const FlowGraph::Input input = graph_.input(id);
        for (const Segment& segment : segments_)
            if (segment.space == trace::Space::global && segment.first_input == input.symbol) {
                put.sources.push_back({no_put, static_cast<std::uint32_t>(input.cell % segment.columns)});
                return;
            }
        if (put.inputs.size() < most_sources) put.inputs.push_back(id);
    }

    // Lanes have no memory: what they hold at first becomes a row of its own.
    void begin_lanes() {
        std::map<std::uint32_t, std::uint32_t> first;  // lane: its put
        std::vector<Put> initial;
        for (const Put& put : puts_)
            for (const Source& source : put.sources)
                if (source.put == no_put && first.try_emplace(source.column, 0).second) {
                    Put& made = initial.emplace_back();
                    made.column = made.thread = source.column;
                    made.block = put.block;
                    made.launch = put.launch;
                    made.phase = puts_.front().phase;
                    made.turn = puts_.front().turn;
                    made.initial = true;
                }
        std::sort(initial.begin(), initial.end(),
                  [](const Put& a, const Put& b) { return a.column < b.column; });
        const auto shift = static_cast<std::uint32_t>(initial.size());
        for (std::uint32_t i = 0; i < shift; ++i)
            first[initial[i].column] = i;
        for (Put& put : puts_)
            for (Source& source : put.sources)
                source.put = source.put == no_put ? first[source.column] : source.put + shift;
        puts_.insert(puts_.begin(), initial.begin(), initial.end());
    }

    const trace::Trace& trace_;
    const FlowGraph& graph_;
    FlowWanted wanted_;
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> releases_;
    std::vector<Segment> segments_;
    bool lanes_ = false, cut_ = false;
    std::vector<Put> puts_;
    std::unordered_map<ValueId, std::uint32_t> number_;
};

bool from_inside(const Put& put) {
    return !put.sources.empty();
}

// Whether the two halves of an array take turns: what is written to one comes from the other.
bool takes_turns(const std::vector<Put>& puts, std::uint64_t cells) {
    if (cells < 4 || cells % 2 != 0) return false;
    const std::uint64_t half = cells / 2;
    std::uint64_t inner = 0, to_second = 0;
    for (const Put& put : puts)
        for (const Source& source : put.sources) {
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
        Collector both(trace, flow, wanted);
        Segment second = segments_of(trace, other, 1)[0], first = segments_of(trace, array, 1)[0];
        first.columns = second.columns = array.cells * 2;
        both.memory({first, second});
        std::uint64_t across[2] = {0, 0};
        bool inside = false;
        for (const Put& put : both.puts()) {
            const bool in_second = put.offset >= second.begin && put.offset < second.end;
            for (const Source& source : put.sources) {
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

// Distributes the puts over rows.
class Rows {
  public:
    Rows(std::vector<Put>& puts, std::uint32_t columns)
        : puts_(puts), last_(columns, no_put), read_(columns) {}

    void arrange() {
        for (std::uint32_t i = 0; i < puts_.size(); ++i)
            place(i);
        std::map<Key, std::uint32_t> rows;
        for (const Put& put : puts_)
            rows.try_emplace(key(put), 0);
        std::uint32_t number = 0;
        for (auto& [at, row] : rows)
            row = number++;
        for (Put& put : puts_)
            put.row = rows[key(put)];
        count_ = number;
    }
    std::uint32_t count() const { return count_; }

  private:
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // launch, phase, part
    static Key key(const Put& put) { return {put.launch, put.phase, put.part}; }
    static bool together(const Put& a, const Put& b) { return a.launch == b.launch && a.phase == b.phase; }

    void place(std::uint32_t number) {
        Put& put = puts_[number];
        for (const Source& source : put.sources)
            if (source.put != no_put && source.put < number && together(puts_[source.put], put))
                put.part = std::max(put.part, puts_[source.put].part + 1);
        // The cell's earlier value stays in sight for those that read it.
        if (const std::uint32_t before = last_[put.column]; before != no_put && together(puts_[before], put))
            put.part = std::max(put.part, puts_[before].part + 1);
        if (const Reader& reader = read_[put.column];
            reader.put != no_put && together(puts_[reader.put], put))
            put.part = std::max(put.part, reader.part);
        for (const Source& source : put.sources) {
            Reader& reader = read_[source.column];
            if (reader.put == no_put || !together(puts_[reader.put], put) || put.part > reader.part)
                reader = {number, put.part};
        }
        last_[put.column] = number;
        read_[put.column] = {};
    }

    struct Reader {
        std::uint32_t put = no_put, part = 0;
    };
    std::vector<Put>& puts_;
    std::vector<std::uint32_t> last_;  // per column
    std::vector<Reader> read_;         // per column: the last row that reads its value
    std::uint32_t count_ = 0;
};

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

class Maker {
  public:
    Maker(std::shared_ptr<const trace::Trace> trace, const Flow& flow, const std::atomic<bool>* cancelled)
        : trace_(std::move(trace)), flow_(flow), cancelled_(cancelled) {}

    void fill(FlowFigure& figure, std::vector<Put>& puts, std::uint32_t rows) {
        figure.rows.resize(std::min<std::size_t>(rows, most_rows));
        if (rows > most_rows)
            figure.note =
                "only the first " + std::to_string(most_rows) + " of " + std::to_string(rows) + " rows";
        std::stable_sort(puts.begin(), puts.end(), [](const Put& a, const Put& b) {
            return std::tie(a.row, a.column) < std::tie(b.row, b.column);
        });
        for (const Put& put : puts)
            if (put.row < figure.rows.size()) add_cell(figure, put);
        for (FlowRow& row : figure.rows)
            describe(row);
        name_rows(figure);
        mark_used(figure);
        if (puts.size() <= most_described) find_ranges(figure);
    }

    void find_edges(FlowFigure& figure, const std::vector<Put>& by_time, const std::vector<Put>& sorted) {
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
            const Put& put = by_time[i];
            if (last[put.column] != no_put) gone[last[put.column]] = put.row;
            if (first[put.column] == ~0u) first[put.column] = put.row;
            last[put.column] = i;
        }
        for (const Put& put : sorted) {
            if (put.row >= figure.rows.size()) break;
            FlowCell* cell = figure.written(put.row, put.column);
            if (cell == nullptr || cell->value != put.value) continue;
            cell->first_edge = static_cast<std::uint32_t>(figure.edges.size());
            for (const Source& source : put.sources) {
                if (source.put == no_put || put.row == 0) continue;
                const std::uint32_t until = gone[source.put] == ~0u ? put.row : gone[source.put];
                const std::uint32_t from = std::max(std::min(until, put.row) - 1, by_time[source.put].row);
                if (from >= put.row) continue;
                figure.edges.push_back({from, source.column, put.row, put.column, analysis::is_copy(put.op)});
            }
            cell->end_edge = static_cast<std::uint32_t>(figure.edges.size());
        }
    }

    const std::vector<std::uint32_t>& gone_rows() const { return gone_; }

    void write_values(FlowFigure& figure, const std::vector<Put>& sorted,
                      const std::vector<Segment>& segments) {
        if (sorted.size() > most_described || segments.empty()) return;
        std::vector<const Put*> by_turn;
        for (const Put& put : sorted)
            by_turn.push_back(&put);
        std::stable_sort(by_turn.begin(), by_turn.end(),
                         [](const Put* a, const Put* b) { return a->turn < b->turn; });
        trace::Replay replay(trace_);
        std::vector<trace::TurnDetail> details;
        std::uint64_t turn = ~0ull;
        for (const Put* put : by_turn) {
            if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) return;
            if (put->row >= figure.rows.size()) continue;
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

  private:
    void add_cell(FlowFigure& figure, const Put& put) const {
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
        cell.loaded = !from_inside(put);
        row.cells.push_back(std::move(cell));
        row.launch = put.launch;
        row.block = put.block;
        row.phase = put.phase;
        row.part = put.part;
    }

    void describe(FlowRow& row) const {
        if (row.cells.empty()) return;
        std::map<std::uint32_t, unsigned> lines;
        std::set<std::pair<std::uint32_t, std::uint32_t>> threads;
        row.first_turn = ~0ull;
        for (const FlowCell& cell : row.cells) {
            row.first_turn = std::min(row.first_turn, cell.turn);
            row.end_turn = std::max(row.end_turn, cell.turn + 1);
            ++lines[trace_->turns[cell.turn].line];
            threads.emplace(cell.block, cell.thread);
        }
        row.threads = static_cast<std::uint32_t>(threads.size());
        row.line = std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
                       return a.second < b.second;
                   })->first;
    }

    // By a variable that changes from phase to phase, or by the line.
    void name_rows(FlowFigure& figure) const {
        std::vector<PhaseSpan> spans;
        for (const FlowRow& row : figure.rows)
            spans.push_back({row.launch, row.block, row.first_turn});
        const std::vector<std::string> names = phase_names(*trace_, spans, cancelled_);
        for (std::size_t i = 0; i < figure.rows.size(); ++i) {
            FlowRow& row = figure.rows[i];
            const bool loads = std::all_of(row.cells.begin(), row.cells.end(),
                                           [](const FlowCell& cell) { return cell.loaded; });
            const bool alone =
                std::count_if(figure.rows.begin(), figure.rows.end(),
                              [&](const FlowRow& each) { return each.launch == row.launch; }) == 1;
            const std::string line = trace_->launches.size() < 2
                                         ? "line " + std::to_string(row.line)
                                         : "launch " + std::to_string(row.launch + 1) +
                                               (alone ? "" : ", line " + std::to_string(row.line));
            row.title = loads && i == 0                         ? (figure.array.lanes ? "at first" : "load")
                        : i < names.size() && !names[i].empty() ? names[i]
                                                                : line;
        }
    }

    void mark_used(FlowFigure& figure) const {
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

    void find_ranges(FlowFigure& figure) const {
        constexpr std::uint64_t most_steps = 1 << 14;
        analysis::Provenance provenance(*trace_, flow_);
        for (FlowRow& row : figure.rows)
            for (FlowCell& cell : row.cells) {
                if (cell.value == 0) continue;
                bool cut = false;
                const std::vector<ValueId> inputs = provenance.inputs(cell.value, most_steps, cut);
                if (!cut) cell.range = range_text(flow_.graph, inputs);
            }
    }

    std::string value_text(const Put& put, const trace::TurnDetail& detail,
                           const std::vector<Segment>& segments) const {
        const unsigned lane = put.thread % trace::warp_size;
        for (const Segment& segment : segments) {
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

    std::shared_ptr<const trace::Trace> trace_;
    const Flow& flow_;
    const std::atomic<bool>* cancelled_;
    std::vector<std::uint32_t> gone_;  // by put: the row in which its value is replaced
};

// Rows of other arrays, above and below.
class Bands {
  public:
    Bands(const trace::Trace& trace, const Flow& flow, FlowFigure& figure)
        : trace_(trace), flow_(flow), figure_(figure) {}

    void below(std::uint32_t symbol, const std::vector<Put>& results, const std::vector<Put>& by_time,
               const std::vector<std::uint32_t>& gone) {
        const auto number = static_cast<std::uint32_t>(figure_.rows.size());
        FlowRow row;
        row.array = row.title = trace_.symbols[symbol].name;
        double shift = 0;
        for (const Put& put : results) {
            double middle = 0;
            for (const Source& source : put.sources)
                middle += source.column;
            shift += middle / static_cast<double>(put.sources.size()) - put.column;
        }
        row.shift = static_cast<float>(std::round(shift / static_cast<double>(results.size())));
        row.first_turn = results.front().turn;
        std::set<std::pair<std::uint32_t, std::uint32_t>> threads;
        for (const Put& put : results) {
            FlowCell cell;
            cell.column = put.column;
            cell.value = put.value;
            cell.thread = put.thread;
            cell.block = put.block;
            cell.turn = put.turn;
            cell.op = put.op;
            cell.first_edge = static_cast<std::uint32_t>(figure_.edges.size());
            for (const Source& source : put.sources) {
                const std::uint32_t until = std::min(gone[source.put], figure_.end_own);
                const std::uint32_t from = std::max(until, by_time[source.put].row + 1) - 1;
                if (from < figure_.end_own)
                    figure_.edges.push_back(
                        {from, source.column, number, put.column, analysis::is_copy(put.op)});
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

    void above(const std::vector<Put>& puts) {
        std::map<std::uint32_t, std::map<std::uint64_t, std::vector<const Put*>>> used;  // symbol, cell
        for (const Put& put : puts)
            for (const ValueId id : put.inputs) {
                const FlowGraph::Input input = flow_.graph.input(id);
                used[input.symbol][input.cell].push_back(&put);
            }
        for (const auto& [symbol, cells] : used)
            if (cells.size() <= most_band && cells.rbegin()->first < (1u << 20)) add_above(symbol, cells);
    }

  private:
    using Users = std::map<std::uint64_t, std::vector<const Put*>>;

    void add_above(std::uint32_t symbol, const Users& cells) {
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
            for (const Put* put : puts) {
                shift += static_cast<double>(put->column) - static_cast<double>(number);
                ++links;
            }
            row.cells.push_back(std::move(cell));
        }
        row.shift =
            static_cast<float>(std::round(shift / static_cast<double>(std::max<std::size_t>(1, links))));
        describe(row, symbol, 0);
        widen(row);
        figure_.rows.insert(figure_.rows.begin(), std::move(row));
        add_edges_from(cells);
    }

    // Edges stay in the order of their ends.
    void add_edges_from(const Users& cells) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> ends;
        for (const auto& [number, puts] : cells)
            for (const Put* put : puts)
                ends[{put->row + added_, put->column}].push_back(static_cast<std::uint32_t>(number));
        std::vector<FlowEdge> edges;
        for (std::uint32_t at = 0; at < figure_.rows.size(); ++at)
            for (FlowCell& cell : figure_.rows[at].cells) {
                const auto begin = static_cast<std::uint32_t>(edges.size());
                edges.insert(edges.end(), figure_.edges.begin() + cell.first_edge,
                             figure_.edges.begin() + cell.end_edge);
                if (const auto found = ends.find({at, cell.column});
                    found != ends.end() && figure_.is_own(at))
                    for (const std::uint32_t column : found->second)
                        edges.push_back({0, column, at, cell.column, analysis::is_copy(cell.op)});
                cell.first_edge = begin;
                cell.end_edge = static_cast<std::uint32_t>(edges.size());
            }
        figure_.edges = std::move(edges);
    }

    // The values of the array before or after the run, and what they are made of.
    void describe(FlowRow& row, std::uint32_t symbol, std::uint64_t position) const {
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

    void widen(const FlowRow& row) {
        figure_.left = std::min(figure_.left, static_cast<float>(row.cells.front().column) + row.shift);
        figure_.right = std::max(figure_.right, static_cast<float>(row.cells.back().column) + row.shift);
    }

    const trace::Trace& trace_;
    const Flow& flow_;
    FlowFigure& figure_;
    std::uint32_t added_ = 0;
};

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
        Collector collector(trace, flow, wanted);
        collector.memory(segments_of(trace, array, 1));
        for (const Put& put : collector.puts()) {
            ++array.writes;
            const bool from_others = std::any_of(
                put.sources.begin(), put.sources.end(),
                [&](const Source& source) { return source.put != no_put && source.column != put.column; });
            array.inner += from_others ? 1 : 0;
        }
        if (array.writes != 0 && array.cells != 0) arrays.push_back(array);
    };
    if (wanted.launch < trace.launches.size())
        for (std::uint32_t i = 0; i < trace.launches[wanted.launch].shared.size(); ++i)
            add(trace.launches[wanted.launch].shared[i], i, wanted.launch);
    for (std::uint32_t i = 0; i < trace.symbols.size(); ++i)
        if (trace.symbols[i].space == trace::Space::global) add(trace.symbols[i], i, trace::none);
    Collector lanes(trace, flow, wanted);
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
    std::vector<Segment> segments;
    auto collector = std::make_unique<Collector>(*trace, flow, wanted);
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
        collector = std::make_unique<Collector>(*trace, flow, wanted);
        collector->memory(segments);
    }
    collector->merge_updates();
    std::vector<Put>& puts = collector->puts();
    Rows rows(puts, figure->columns);
    rows.arrange();
    std::vector<Put> sorted = puts;
    Maker maker(trace, flow, cancelled);
    maker.fill(*figure, sorted, rows.count());
    maker.find_edges(*figure, puts, sorted);
    maker.write_values(*figure, sorted, segments);
    figure->end_own = static_cast<std::uint32_t>(figure->rows.size());
    figure->right = static_cast<float>(figure->columns) - 1;
    if (!chosen->lanes && wanted.others) {
        Bands bands(*trace, flow, *figure);
        for (std::uint32_t i = 0; i < trace->symbols.size(); ++i) {
            const bool own = chosen->launch == trace::none && i == chosen->symbol;
            if (own || trace->symbols[i].space != trace::Space::global) continue;
            if (const std::vector<Put> results = collector->results(i); !results.empty())
                bands.below(i, results, puts, maker.gone_rows());
        }
        bands.above(puts);
    }
    add_work(*trace, flow, *figure);
    if (collector->cut()) figure->note = "only the first " + std::to_string(most_puts) + " writes";
    if (!flow.complete) figure->note = flow.incomplete;
    return figure;
}

}  // namespace lanescope::scene
