#include "analysis/flow/provenance.h"

#include <algorithm>

#include "trace/replay.h"

namespace lanescope::analysis {

namespace {

constexpr std::size_t most_parts = 6;  // of a formula or a list, before it is shortened

// Cells first, first + step, … last.
struct Run {
    std::uint64_t first = 0, last = 0, step = 1;
    std::uint64_t count() const { return (last - first) / step + 1; }
};

// Cells as runs of one step, of at least three cells each, or single cells.
std::vector<Run> runs_of(const std::vector<std::uint64_t>& cells) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < cells.size();) {
        std::size_t end = i + 1;
        const std::uint64_t step = end < cells.size() ? cells[end] - cells[i] : 1;
        while (end < cells.size() && cells[end] - cells[end - 1] == step)
            ++end;
        if (end - i < 3) end = i + 1;
        runs.push_back({cells[i], cells[end - 1], end - i < 3 ? 1 : step});
        i = end;
    }
    return runs;
}

// "in[0…2][4…6]", if the cells are a rectangle of a matrix with more than one cell; else empty.
std::string box_text(const trace::Symbol& symbol, const std::vector<std::uint64_t>& cells) {
    if (symbol.extents.size() != 2 || cells.size() < 2) return {};
    const std::uint64_t columns = std::max<std::uint64_t>(1, symbol.extents[1]);
    std::uint64_t left = ~0ull, right = 0;
    for (const std::uint64_t cell : cells) {
        left = std::min(left, cell % columns);
        right = std::max(right, cell % columns);
    }
    const std::uint64_t top = cells.front() / columns, bottom = cells.back() / columns;
    if ((right - left + 1) * (bottom - top + 1) != cells.size()) return {};
    const auto range = [](std::uint64_t first, std::uint64_t last) {
        return "[" + std::to_string(first) + (first == last ? "" : "…" + std::to_string(last)) + "]";
    };
    return symbol.name + range(top, bottom) + range(left, right);
}

}  // namespace

std::string cell_name(const trace::Symbol& symbol, std::uint64_t cell) {
    if (symbol.extents.size() < 2) {
        const bool single = symbol.extents.empty() || (symbol.extents[0] == 1 && !symbol.buffer);
        return single ? symbol.name : symbol.name + "[" + std::to_string(cell) + "]";
    }
    std::string indices;
    for (std::size_t i = symbol.extents.size(); i-- > 0;) {
        const std::uint64_t extent = std::max<std::uint64_t>(1, symbol.extents[i]);
        indices.insert(0, "[" + std::to_string(i == 0 ? cell : cell % extent) + "]");
        cell /= extent;
    }
    return symbol.name + indices;
}

Provenance::Provenance(const trace::Trace& trace, const Flow& flow)
    : trace_(trace), graph_(flow.graph), flow_(flow), blank_(trace.symbols.size()) {
    std::vector<bool> written(trace.symbols.size());
    for (std::size_t i = 0; i < flow.at_end.size(); ++i) {
        const std::vector<ValueId>& held = flow.at_end[i];
        written[i] = std::any_of(held.begin(), held.end(), [&](ValueId id) { return graph_.is_node(id); });
    }
    trace::Replay replay(std::shared_ptr<const trace::Trace>(std::shared_ptr<void>(), &trace));
    for (std::size_t i = 0; i < trace.symbols.size(); ++i) {
        const trace::Symbol& symbol = trace.symbols[i];
        if (!written[i]) continue;
        std::vector<std::byte> bytes(symbol.size_bytes);
        replay.read(symbol.space, 0, 0, symbol.offset, bytes);
        blank_[i] =
            std::all_of(bytes.begin(), bytes.end(), [](std::byte each) { return each == std::byte{0}; });
    }
}

bool Provenance::is_blank(ValueId input) const {
    return blank_[graph_.input(input).symbol];
}

std::string Provenance::name(ValueId input) const {
    const FlowGraph::Input at = graph_.input(input);
    return cell_name(trace_.symbols[at.symbol], at.cell);
}

// Calls each(id) once for the value and everything that it was made of. Returns false if there is more.
template <class F>
bool Provenance::visit(ValueId value, std::uint64_t max_steps, F&& each) {
    seen_.resize(graph_.end());
    if (++visit_ == 0) std::fill(seen_.begin(), seen_.end(), 0), visit_ = 1;
    open_.assign(1, value);
    std::uint64_t steps = 0;
    while (!open_.empty()) {
        const ValueId id = open_.back();
        open_.pop_back();
        if (seen_[id] == visit_) continue;
        seen_[id] = visit_;
        if (++steps > max_steps) return false;
        each(id);
        if (!graph_.is_node(id)) continue;
        const FlowGraph::Node& node = graph_.node(id);
        open_.push_back(node.operands[0]);
        if (is_copy(graph_.op(id))) continue;
        open_.push_back(node.operands[1]);
        open_.push_back(node.operands[2]);
    }
    return true;
}

std::vector<ValueId> Provenance::inputs(ValueId value, std::uint64_t max_steps, bool& cut) {
    std::vector<ValueId> found;
    cut = !visit(value, max_steps, [&](ValueId id) {
        if (graph_.is_input(id) && !is_blank(id)) found.push_back(id);
    });
    std::sort(found.begin(), found.end());
    return found;
}

// The operator, if there is only one, it is associative, and everything enters once.
std::optional<Operator> Provenance::only_operator(ValueId value, std::uint64_t max_steps,
                                                  std::uint64_t& constants) {
    seen_.resize(graph_.end());
    if (++visit_ == 0) std::fill(seen_.begin(), seen_.end(), 0), visit_ = 1;
    open_.assign(1, value);
    std::optional<Operator> only;
    std::uint64_t steps = 0;
    constants = 0;
    while (!open_.empty()) {
        const ValueId id = open_.back();
        open_.pop_back();
        if (++steps > max_steps) return {};
        if (!graph_.is_data(id)) {
            const bool neutral = id == FlowGraph::zero && only && *only != Operator::multiply &&
                                 *only != Operator::bit_and && *only != Operator::minimum &&
                                 *only != Operator::maximum;
            constants += neutral ? 0 : 1;
            continue;
        }
        if (id == FlowGraph::outside) return {};
        if (seen_[id] == visit_) return {};
        seen_[id] = visit_;
        if (!graph_.is_node(id)) continue;
        const FlowGraph::Node& node = graph_.node(id);
        const Operator op = graph_.op(id);
        if (!is_copy(op)) {
            if (!is_associative(op) || (only && *only != op)) return {};
            only = op;
            open_.push_back(node.operands[1]);
        }
        open_.push_back(node.operands[0]);
    }
    return only;
}

std::string Provenance::formula(Operator op, const Origin& origin, std::uint64_t constants) const {
    const bool named = op == Operator::minimum || op == Operator::maximum;
    const std::string between = named ? ", " : std::string(" ") + sign_of(op) + " ";
    std::string text;
    std::size_t parts = 0;
    const auto part = [&](const std::string& more) {
        text += (text.empty() ? "" : between) + more;
        ++parts;
    };
    for (const auto& [symbol, cells] : origin.inputs) {
        const trace::Symbol& of = trace_.symbols[symbol];
        for (const Run& run : runs_of(cells)) {
            if (parts > most_parts) return {};
            part(cell_name(of, run.first));
            if (run.count() < 3) continue;
            if (run.step != 1 || run.count() == 3) part(cell_name(of, run.first + run.step));
            if (run.count() > 3) part("…");
            part(cell_name(of, run.last));
        }
    }
    if (constants == 1) part("a constant");
    if (constants > 1) part(std::to_string(constants) + " constants");
    return named ? std::string(sign_of(op)) + "(" + text + ")" : text;
}

std::string Provenance::list(const Origin& origin) const {
    std::string text;
    std::size_t parts = 0, left_out = 0;
    for (const auto& [symbol, cells] : origin.inputs) {
        const trace::Symbol& of = trace_.symbols[symbol];
        if (const std::string box = box_text(of, cells); !box.empty() && parts < most_parts) {
            text += (text.empty() ? "from " : ", ") + box;
            ++parts;
            continue;
        }
        for (const Run& run : runs_of(cells)) {
            if (parts++ >= most_parts) {
                left_out += run.count();
                continue;
            }
            text += (text.empty() ? "from " : ", ");
            if (run.count() < 3)
                text += cell_name(of, run.first);
            else if (run.step == 1 && of.extents.size() < 2)
                text += of.name + "[" + std::to_string(run.first) + "…" + std::to_string(run.last) + "]";
            else
                text += cell_name(of, run.first) + ", " + cell_name(of, run.first + run.step) + ", … " +
                        cell_name(of, run.last);
        }
    }
    if (left_out != 0) text += " and " + std::to_string(left_out) + " more";
    return text;
}

Origin Provenance::origin(ValueId value, std::uint64_t max_steps) {
    Origin found;
    found.depth = graph_.depth(value);
    std::vector<ValueId> inputs;
    found.cut = !visit(value, max_steps, [&](ValueId id) {
        if (graph_.is_input(id) && !is_blank(id)) inputs.push_back(id);
        if (id == FlowGraph::outside) found.outside = true;
        if (graph_.is_node(id) && is_operation(graph_.op(id))) ++found.operations;
    });
    std::sort(inputs.begin(), inputs.end());
    for (const ValueId id : inputs) {
        const FlowGraph::Input at = graph_.input(id);
        found.inputs[at.symbol].push_back(at.cell);
    }
    std::uint64_t constants = 0;
    if (!found.cut) found.joined_by = only_operator(value, max_steps, constants);
    if (found.joined_by && !inputs.empty()) found.text = formula(*found.joined_by, found, constants);
    if (found.joined_by == Operator::add && inputs.empty())
        found.text = "sum of " + std::to_string(constants) + (constants == 1 ? " constant" : " constants");
    if (found.text.empty())
        found.text = inputs.size() == 1 && found.operations == 0 ? name(inputs[0]) : list(found);
    if (found.text.empty()) found.text = found.outside ? "from outside of the trace" : "constant";
    return found;
}

BufferWork Provenance::work(std::uint32_t symbol, const std::vector<Origin>& origins,
                            std::uint64_t max_steps) {
    BufferWork work;
    work.operations = graph_.operations();
    if (symbol >= flow_.at_end.size()) return work;
    seen_.resize(graph_.end());
    if (++visit_ == 0) std::fill(seen_.begin(), seen_.end(), 0), visit_ = 1;
    open_.clear();
    for (const ValueId id : flow_.at_end[symbol]) {
        open_.push_back(id);
        work.depth = std::max(work.depth, graph_.depth(id));
    }
    std::uint64_t steps = 0;
    while (!open_.empty() && !work.cut) {
        const ValueId id = open_.back();
        open_.pop_back();
        if (seen_[id] == visit_) continue;
        seen_[id] = visit_;
        work.cut = ++steps > max_steps;
        if (!graph_.is_node(id)) continue;
        const FlowGraph::Node& node = graph_.node(id);
        if (is_operation(graph_.op(id))) ++work.needed;
        open_.push_back(node.operands[0]);
        if (is_copy(graph_.op(id))) continue;
        open_.push_back(node.operands[1]);
        open_.push_back(node.operands[2]);
    }

    BufferWork::Sequential all;
    std::uint64_t depth = 0;
    std::vector<FlowGraph::Input> before;
    std::optional<Operator> op;
    for (const Origin& origin : origins) {
        std::vector<FlowGraph::Input> inputs;
        for (const auto& [of, cells] : origin.inputs)
            for (const std::uint64_t cell : cells)
                inputs.push_back({of, cell});
        const bool simple = !origin.cut && !origin.outside && (origin.joined_by || origin.operations == 0);
        if (!simple || (origin.joined_by && op && *op != *origin.joined_by)) return work;
        if (origin.joined_by) op = origin.joined_by;
        const auto less = [](const FlowGraph::Input& a, const FlowGraph::Input& b) {
            return a.symbol != b.symbol ? a.symbol < b.symbol : a.cell < b.cell;
        };
        const bool extends = !before.empty() &&
                             std::includes(inputs.begin(), inputs.end(), before.begin(), before.end(), less);
        const std::uint64_t more = inputs.empty() ? 0
                                   : extends      ? inputs.size() - before.size()
                                                  : inputs.size() - 1;
        depth = extends ? depth + more : more;
        all.operations += more;
        all.depth = std::max(all.depth, depth);
        before = std::move(inputs);
    }
    if (op && all.operations != 0) work.sequential = all;
    return work;
}

}  // namespace lanescope::analysis
