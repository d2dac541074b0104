#include "analysis/flow/sources.h"

#include <algorithm>
#include <numeric>

#include "analysis/flow/provenance.h"

namespace lanescope::analysis {

InputRanges::InputRanges(const trace::Trace& trace, const Flow& flow)
    : graph_(flow.graph), blank_(Provenance(trace, flow).blank()), rank_(trace.symbols.size()) {
    std::vector<std::uint32_t> symbols(trace.symbols.size());
    std::iota(symbols.begin(), symbols.end(), 0u);
    const auto cells = [&](std::uint32_t symbol) {
        const trace::Symbol& of = trace.symbols[symbol];
        return of.size_bytes / std::max(1u, trace.program.types[of.element].size_bytes);
    };
    std::stable_sort(symbols.begin(), symbols.end(), [&](std::uint32_t a, std::uint32_t b) {
        const bool constant_a = trace.symbols[a].space == trace::Space::constant;
        const bool constant_b = trace.symbols[b].space == trace::Space::constant;
        if (constant_a != constant_b) return constant_a;
        return cells(a) != cells(b) ? cells(a) < cells(b) : a > b;
    });
    for (std::uint32_t i = 0; i < symbols.size(); ++i)
        rank_[symbols[i]] = i;

    ranges_.reserve(graph_.end() - graph_.first_node());
    for (ValueId id = graph_.first_node(); id < graph_.end(); ++id) {
        const FlowGraph::Node& node = graph_.node(id);
        InputRange range = of(node.operands[0]);
        if (!is_copy(graph_.op(id))) range = join(join(range, of(node.operands[1])), of(node.operands[2]));
        ranges_.push_back(range);
    }
}

std::uint32_t InputRanges::rank(ValueId input) const {
    return rank_[graph_.input(input).symbol];
}

InputRange InputRanges::of(ValueId value) const {
    if (value == FlowGraph::outside) return {value, value};
    if (graph_.is_node(value)) return ranges_[value - graph_.first_node()];
    if (!graph_.is_input(value) || blank_[graph_.input(value).symbol]) return {};
    return {value, value};
}

InputRange InputRanges::join(const InputRange& a, const InputRange& b) const {
    if (a == b) return a;
    if (!a.known() || !b.known()) return a.known() ? b : a;
    if (!a.any() || !b.any()) return a.any() ? a : b;
    const std::uint32_t of_a = rank(a.first), of_b = rank(b.first);
    if (of_a != of_b) return of_a > of_b ? a : b;
    return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

bool only_copies(const Flow& flow) {
    const FlowGraph& graph = flow.graph;
    if (!flow.complete) return false;
    ValueId some = FlowGraph::constant;
    bool several = false;
    for (const FlowWrite& write : graph.writes()) {
        if (write.exchange || write.space != trace::Space::global) continue;
        ValueId id = write.value;
        while (graph.is_node(id) && is_copy(graph.op(id)))
            id = graph.node(id).operands[0];
        if (!graph.is_input(id)) return false;
        several = several || (some != FlowGraph::constant && some != id);
        some = id;
    }
    return several;
}

}  // namespace lanescope::analysis
