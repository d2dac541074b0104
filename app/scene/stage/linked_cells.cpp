#include "scene/stage/linked_cells.h"

#include <algorithm>
#include <unordered_set>

namespace lanescope::scene {

namespace {

using analysis::FlowGraph;
using analysis::FlowWrite;
using analysis::ValueId;

constexpr std::size_t most_sources = 1 << 16;    // values
constexpr std::uint64_t most_results = 1 << 21;  // values after the cell's own that are looked at

class Linker {
  public:
    Linker(const OriginIndex& index, std::span<const StageArray> arrays, const trace::Step& place)
        : index_(index), graph_(index.flow().graph), arrays_(arrays), place_(place) {}

    LinkedCells run(std::uint64_t turn, const CellRef& cell) {
        std::vector<ValueId> held = values_at(turn, cell);
        const bool nothing = held.empty() || index_.is_blank(held.front());
        if (nothing) {
            std::vector<ValueId> later = values_at(index_.flow().end_turn, cell);
            found_.later = !later.empty() && later != held;
            if (found_.later) held = std::move(later);
        }
        for (const ValueId value : held)
            go_back(value);
        go_on(held);
        for (std::vector<CellRef>* cells : {&found_.sources, &found_.inputs, &found_.results}) {
            std::erase(*cells, cell);
            std::sort(cells->begin(), cells->end());
            cells->erase(std::unique(cells->begin(), cells->end()), cells->end());
        }
        std::erase_if(found_.inputs, [&](const CellRef& each) {
            return std::binary_search(found_.sources.begin(), found_.sources.end(), each);
        });
        return std::move(found_);
    }

  private:
    std::vector<ValueId> values_at(std::uint64_t turn, const CellRef& cell) const {
        std::vector<ValueId> held;
        const StageArray& array = arrays_[cell.array];
        index_.held().each(held_range(array, place_, cell.index, 1), turn,
                           [&](std::uint64_t, ValueId value) { held.push_back(value); });
        if (!held.empty()) return held;
        const ValueId first = index_.first_value(array, cell.index);
        if (graph_.is_input(first)) held.push_back(first);
        return held;
    }

    void add(const CellSpan& span, std::vector<CellRef>& to) const {
        for (std::uint32_t i = 0; i < span.count; ++i)
            to.push_back({span.array, span.first + i});
    }

    CellSpan place_of(const FlowWrite& write) const {
        const trace::Trace& trace = index_.trace();
        const bool shared = write.space == trace::Space::shared;
        if (shared && (write.is_outside(place_.block) || trace.launch_of(write.turn) != place_.launch))
            return {};
        return cells_at(arrays_, write.space, write.offset, write.width_bytes,
                        shared ? place_.launch : trace::none);
    }

    void go_back(ValueId value) {
        if (!graph_.is_node(value)) return;
        std::vector<std::pair<ValueId, bool>> open;  // and whether a cell lies between
        std::unordered_set<ValueId> seen;
        const auto push = [&](ValueId id, bool behind) {
            if (graph_.is_data(id)) open.emplace_back(id, behind);
        };
        // The store itself is the cell.
        push(graph_.node(value).operands[0], false);
        while (!open.empty()) {
            const auto [id, behind] = open.back();
            open.pop_back();
            if (!seen.insert(id).second) continue;
            if (seen.size() > most_sources) {
                found_.cut = true;
                return;
            }
            if (graph_.is_input(id)) {
                const FlowGraph::Input input = graph_.input(id);
                const trace::Trace& trace = index_.trace();
                const trace::Symbol& symbol = trace.symbols[input.symbol];
                const std::uint32_t bytes = std::max(1u, trace.program.types[symbol.element].size_bytes);
                add(cells_at(arrays_, symbol.space, symbol.offset + input.cell * bytes, bytes),
                    behind ? found_.inputs : found_.sources);
            } else if (graph_.is_node(id)) {
                const bool store = graph_.op(id) == analysis::Operator::store;
                if (store) add(place_of(graph_.write_of(id)), behind ? found_.inputs : found_.sources);
                const FlowGraph::Node& node = graph_.node(id);
                push(node.operands[0], behind || store);
                if (analysis::is_copy(graph_.op(id))) continue;
                push(node.operands[1], behind);
                push(node.operands[2], behind);
            }
        }
    }

    // Nodes come in the order in which they were made, so one pass finds all that depend on the values.
    void go_on(const std::vector<ValueId>& held) {
        if (held.empty()) return;
        const ValueId first = *std::min_element(held.begin(), held.end());
        const ValueId begin = std::max(first, graph_.first_node());
        ValueId end = graph_.end();
        if (end - begin > most_results) {
            end = begin + static_cast<ValueId>(most_results);
            found_.cut = true;
        }
        std::vector<bool> reached(end - begin);
        const auto depends = [&](ValueId id) {
            if (std::find(held.begin(), held.end(), id) != held.end()) return true;
            return id >= begin && id < end && reached[id - begin];
        };
        for (ValueId id = begin; id < end; ++id) {
            const FlowGraph::Node& node = graph_.node(id);
            const bool copy = analysis::is_copy(graph_.op(id));
            if (!depends(node.operands[0]) &&
                (copy || (!depends(node.operands[1]) && !depends(node.operands[2]))))
                continue;
            reached[id - begin] = true;
            if (graph_.op(id) == analysis::Operator::store)
                add(place_of(graph_.write_of(id)), found_.results);
        }
    }

    const OriginIndex& index_;
    const FlowGraph& graph_;
    std::span<const StageArray> arrays_;
    const trace::Step& place_;
    LinkedCells found_;
};

}  // namespace

LinkedCells linked_cells(const OriginIndex& index, std::span<const StageArray> arrays,
                         const trace::Step& place, std::uint64_t turn, const CellRef& cell) {
    return Linker(index, arrays, place).run(turn, cell);
}

std::string linked_words(const LinkedCells& linked) {
    const auto count = [](const std::vector<CellRef>& cells, const char* what) {
        return std::to_string(cells.size()) + " " + what + (cells.size() == 1 ? "" : "s");
    };
    std::string words;
    if (!linked.sources.empty()) words += count(linked.sources, "cell") + " (solid frames)";
    if (!linked.inputs.empty())
        words += (words.empty() ? "" : ", behind them ") + count(linked.inputs, "cell") + " (thin)";
    if (!words.empty()) words = (linked.later ? "\nat the end made of " : "\nmade of ") + words;
    if (!linked.results.empty())
        words += "\n" + count(linked.results, "cell") + (linked.results.size() == 1 ? " is" : " are") +
                 " made of it later (dashed)";
    if (linked.cut) words += "\nand more";
    return words;
}

}  // namespace lanescope::scene
