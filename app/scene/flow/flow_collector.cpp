#include "scene/flow/flow_collector.h"

#include <algorithm>
#include <tuple>

#include "trace/cells.h"

namespace lanescope::scene {

using analysis::Flow;
using analysis::FlowGraph;
using analysis::FlowWrite;
using analysis::Operator;
using analysis::ValueId;

namespace {

const trace::Symbol& symbol_of(const trace::Trace& trace, const FlowArray& array) {
    return array.launch == trace::none ? trace.symbols[array.symbol]
                                       : trace.launches[array.launch].shared[array.symbol];
}

}  // namespace

std::size_t band_limit(const trace::Trace& trace, const trace::Symbol& symbol) {
    return trace::cell_shape(trace, symbol).columns > 1 ? most_matrix_band : most_band;
}

std::vector<FlowSegment> segments_of(const trace::Trace& trace, const FlowArray& array, unsigned halves) {
    const trace::Symbol& symbol = symbol_of(trace, array);
    const trace::CellShape shape = trace::cell_shape(trace, symbol);
    FlowSegment segment;
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

void FlowCollector::memory(const std::vector<FlowSegment>& segments) {
    segments_ = segments;
    for (const FlowWrite& write : graph_.writes()) {
        if (write.exchange) continue;
        for (const FlowSegment& segment : segments_) {
            if (write.space != segment.space || write.offset < segment.begin || write.offset >= segment.end)
                continue;
            if (segment.space == trace::Space::shared &&
                (write.is_outside(wanted_.block) || trace_.launch_of(write.turn) != segment.launch))
                continue;
            if (!add(put_of(write, column(segment, write.offset)))) return;
        }
    }
    for (FlowPut& put : puts_) {
        find_sources(put);
        put.op = operator_of(put.value);
    }
}

void FlowCollector::lanes() {
    lanes_ = true;
    const std::vector<FlowWrite>& writes = graph_.writes();
    for (ValueId id = graph_.first_node(); id < graph_.end(); ++id) {
        const Operator op = graph_.op(id);
        if (!analysis::is_operation(op)) continue;
        const std::optional<std::uint32_t> number = received_by(id);
        if (!number) continue;
        FlowWrite made = writes[*number];
        if (made.block != wanted_.block || trace_.launch_of(made.turn) != wanted_.launch) continue;
        made.value = id;
        FlowPut put = put_of(made, made.thread);
        put.op = op;
        find_sources(put);
        if (!add(std::move(put))) return;
    }
}

void FlowCollector::begin_memory(const analysis::Provenance& provenance) {
    std::map<std::uint32_t, FlowPut> first;  // by column
    for (const FlowPut& put : puts_)
        for (const FlowSource& source : put.sources) {
            if (source.put != no_put || provenance.is_blank(source.value)) continue;
            const auto [at, added] = first.try_emplace(source.column);
            if (!added) continue;
            FlowPut& made = at->second;
            made.column = source.column;
            made.value = source.value;
            made.launch = put.launch;
            made.turn = FlowCell::never;
            made.initial = true;
        }
    std::vector<FlowPut> initial;
    for (auto& [column, put] : first)
        initial.push_back(std::move(put));
    insert_first(std::move(initial));
}

// Puts before all others, for the sources that have none.
void FlowCollector::insert_first(std::vector<FlowPut> first) {
    const auto shift = static_cast<std::uint32_t>(first.size());
    std::map<std::uint32_t, std::uint32_t> by_column;
    for (std::uint32_t i = 0; i < shift; ++i)
        by_column[first[i].column] = i;
    for (FlowPut& put : puts_)
        for (FlowSource& source : put.sources) {
            if (source.put != no_put)
                source.put += shift;
            else if (const auto found = by_column.find(source.column); found != by_column.end())
                source.put = found->second;
        }
    for (auto& [value, number] : number_)
        number += shift;
    for (std::uint32_t i = 0; i < shift; ++i)
        number_[first[i].value] = i;
    puts_.insert(puts_.begin(), std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
}

std::vector<FlowPut> FlowCollector::results(std::uint32_t symbol) {
    const trace::Symbol& of = trace_.symbols[symbol];
    const std::uint32_t cell = trace::cell_shape(trace_, of).cell_bytes;
    const std::size_t most = band_limit(trace_, of);
    std::map<std::uint32_t, FlowPut> last;
    result_ = &of;
    for (const FlowWrite& write : graph_.writes()) {
        if (write.exchange || write.space != of.space || write.offset < of.offset ||
            write.offset >= of.offset + of.size_bytes)
            continue;
        FlowPut put = put_of(write, static_cast<std::uint32_t>((write.offset - of.offset) / cell));
        find_sources(put);
        put.op = operator_of(put.value);
        std::erase_if(put.sources, [](const FlowSource& source) { return source.put == no_put; });
        if (put.sources.empty()) continue;
        last[put.column] = std::move(put);
        if (last.size() > most) break;
    }
    result_ = nullptr;
    if (last.size() > most) return {};
    std::vector<FlowPut> found;
    for (auto& [column, put] : last)
        found.push_back(std::move(put));
    return found;
}

void FlowCollector::merge_updates() {
    std::vector<std::uint32_t> readers(puts_.size()), last(columns(), no_put);
    for (const FlowPut& put : puts_)
        for (const FlowSource& source : put.sources)
            if (source.put != no_put) ++readers[source.put];
    std::vector<bool> gone(puts_.size());
    for (std::uint32_t i = 0; i < puts_.size(); ++i) {
        FlowPut& put = puts_[i];
        const std::uint32_t before = std::exchange(last[put.column], i);
        if (before == no_put || !put.atomic || !puts_[before].atomic || puts_[before].op != put.op ||
            puts_[before].launch != put.launch || puts_[before].phase != put.phase || readers[before] != 1)
            continue;
        const auto own = std::find_if(put.sources.begin(), put.sources.end(),
                                      [&](const FlowSource& source) { return source.put == before; });
        if (own == put.sources.end()) continue;
        put.sources.erase(own);
        FlowPut& earlier = puts_[before];
        put.updates += earlier.updates;
        put.earlier = std::move(earlier.earlier);
        if (put.earlier.empty() || put.earlier.back() != earlier.turn) put.earlier.push_back(earlier.turn);
        put.sources.insert(put.sources.end(), earlier.sources.begin(), earlier.sources.end());
        put.inputs.insert(put.inputs.end(), earlier.inputs.begin(), earlier.inputs.end());
        gone[before] = true;
    }
    std::vector<std::uint32_t> number(puts_.size(), no_put);
    std::vector<FlowPut> left;
    for (std::uint32_t i = 0; i < puts_.size(); ++i) {
        if (gone[i]) continue;
        number[i] = static_cast<std::uint32_t>(left.size());
        left.push_back(std::move(puts_[i]));
    }
    for (FlowPut& put : left)
        for (FlowSource& source : put.sources)
            if (source.put != no_put) source.put = number[source.put];
    for (auto& [value, at] : number_)
        at = number[at];
    puts_ = std::move(left);
}

std::size_t FlowCollector::columns() const {
    std::uint32_t most = 0;
    for (const FlowPut& put : puts_)
        most = std::max(most, put.column + 1);
    return most;
}

std::uint32_t FlowCollector::column(const FlowSegment& segment, std::uint64_t offset) {
    return static_cast<std::uint32_t>((offset - segment.begin) / segment.cell_bytes % segment.columns);
}

FlowPut FlowCollector::put_of(const FlowWrite& write, std::uint32_t at_column) const {
    FlowPut put;
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
    return put;
}

bool FlowCollector::add(FlowPut put) {
    if (puts_.size() >= most_puts) return cut_ = true, false;
    number_[put.value] = static_cast<std::uint32_t>(puts_.size());
    puts_.push_back(std::move(put));
    return true;
}

std::uint32_t FlowCollector::phase_of(const FlowPut& put) const {
    const auto found = releases_.find(put.block);
    if (found == releases_.end()) return 0;
    const std::vector<std::uint64_t>& turns = found->second;
    const std::uint64_t first = trace_.launches[put.launch].first_turn;
    return static_cast<std::uint32_t>(std::upper_bound(turns.begin(), turns.end(), put.turn) -
                                      std::upper_bound(turns.begin(), turns.end(), first));
}

std::optional<std::uint32_t> FlowCollector::received_by(ValueId id) const {
    for (const ValueId operand : graph_.node(id).operands)
        if (const std::optional<std::uint32_t> number = exchange_in(operand, 0)) return number;
    return {};
}

std::optional<std::uint32_t> FlowCollector::exchange_in(ValueId id, int depth) const {
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

Operator FlowCollector::operator_of(ValueId store) const {
    ValueId id = graph_.node(store).operands[0];
    while (graph_.is_node(id) && graph_.op(id) == Operator::select)
        id = graph_.is_node(graph_.node(id).operands[0]) ? graph_.node(id).operands[0]
                                                         : graph_.node(id).operands[1];
    if (!graph_.is_node(id) || analysis::is_copy(graph_.op(id))) return Operator::store;
    return graph_.op(id);
}

void FlowCollector::find_sources(FlowPut& put) {
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
        const Operator op = graph_.is_node(id) ? graph_.op(id) : Operator::store;
        // What a lane loaded, or made alone, is what it holds.
        if (lanes_ && result_ == nullptr &&
            (graph_.is_input(id) || op == Operator::store || analysis::is_operation(op))) {
            put.sources.push_back({hold(id, lane, put), lane});
            continue;
        }
        if (graph_.is_input(id)) {
            add_input(id, put);
            continue;
        }
        if (!graph_.is_node(id)) continue;
        if (op == Operator::store) {  // of other memory
            if (add_store(id, put)) open.emplace_back(graph_.node(id).operands[0], lane);
            continue;
        }
        if (op == Operator::exchange) {
            open.emplace_back(graph_.node(id).operands[0],
                              static_cast<std::uint32_t>(graph_.write_of(id).offset));
            continue;
        }
        for (const ValueId operand : graph_.node(id).operands)
            open.emplace_back(operand, lane);
    }
    std::stable_sort(put.sources.begin(), put.sources.end(), [](const FlowSource& a, const FlowSource& b) {
        return std::tie(a.column, a.put) < std::tie(b.column, b.put);
    });
    put.sources.erase(std::unique(put.sources.begin(), put.sources.end(),
                                  [](const FlowSource& a, const FlowSource& b) {
                                      return a.column == b.column && a.put == b.put;
                                  }),
                      put.sources.end());
}

// Whether the value that was stored is followed: an atomic update of the result takes up the one before.
bool FlowCollector::add_store(ValueId id, FlowPut& put) const {
    const FlowWrite& write = graph_.write_of(id);
    if (result_ == nullptr) return false;
    if (write.space == result_->space && write.offset >= result_->offset &&
        write.offset < result_->offset + result_->size_bytes)
        return write.atomic;
    const bool copy = std::any_of(segments_.begin(), segments_.end(), [&](const FlowSegment& segment) {
        return segment.space == trace::Space::shared && write.space == segment.space &&
               write.offset >= segment.begin && write.offset < segment.end &&
               write.is_outside(wanted_.block) && trace_.launch_of(write.turn) == segment.launch;
    });
    if (copy && put.others.size() < most_band) put.others.push_back(id);
    return false;
}

void FlowCollector::add_input(ValueId id, FlowPut& put) const {
    const FlowGraph::Input input = graph_.input(id);
    for (const FlowSegment& segment : segments_)
        if (segment.space == trace::Space::global && segment.first_input == input.symbol) {
            put.sources.push_back({no_put, static_cast<std::uint32_t>(input.cell % segment.columns), id});
            return;
        }
    if (put.inputs.size() < most_sources) put.inputs.push_back(id);
}

std::uint32_t FlowCollector::hold(ValueId id, std::uint32_t lane, const FlowPut& user) {
    const auto [at, added] = held_.try_emplace({id, lane}, static_cast<std::uint32_t>(puts_.size()));
    if (!added) return at->second;
    FlowPut made;
    made.column = made.thread = lane;
    made.value = id;
    made.block = user.block;
    made.launch = user.launch;
    made.phase = user.phase;
    made.turn = user.turn;
    made.initial = true;
    find_origin(id, made);
    made.op = graph_.is_node(id) && !made.sources.empty() && analysis::is_operation(graph_.op(id))
                  ? graph_.op(id)
                  : Operator::store;
    puts_.push_back(std::move(made));
    return at->second;
}

// Earlier puts and inputs that the value comes from, through memory.
void FlowCollector::find_origin(ValueId id, FlowPut& held) const {
    std::vector<ValueId> open{id};
    std::set<ValueId> seen;
    std::set<std::uint32_t> found;
    while (!open.empty() && held.sources.size() < most_sources && seen.size() < 4096) {
        const ValueId at = open.back();
        open.pop_back();
        if (!graph_.is_data(at) || !seen.insert(at).second) continue;
        if (const auto known = number_.find(at); known != number_.end()) {
            if (found.insert(known->second).second)
                held.sources.push_back({known->second, puts_[known->second].column});
            continue;
        }
        if (graph_.is_input(at)) {
            if (held.inputs.size() < most_sources) held.inputs.push_back(at);
            continue;
        }
        if (!graph_.is_node(at)) continue;
        const FlowGraph::Node& node = graph_.node(at);
        open.push_back(node.operands[0]);
        if (analysis::is_copy(graph_.op(at))) continue;
        open.push_back(node.operands[1]);
        open.push_back(node.operands[2]);
    }
    std::stable_sort(held.sources.begin(), held.sources.end(),
                     [](const FlowSource& a, const FlowSource& b) { return a.column < b.column; });
}

}  // namespace lanescope::scene
