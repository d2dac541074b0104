#include "analysis/flow/graph.h"

#include <algorithm>

namespace lanescope::analysis {

namespace {

constexpr std::uint32_t most_depth = (1u << 24) - 1;

struct OperatorWords {
    const char* sign;
    const char* words;
};

OperatorWords words_of(Operator op) {
    switch (op) {
        case Operator::add:
            return {"+", "addition"};
        case Operator::subtract:
            return {"−", "subtraction"};
        case Operator::multiply:
            return {"·", "multiplication"};
        case Operator::multiply_add:
            return {"·+", "multiply-add"};
        case Operator::divide:
            return {"/", "division"};
        case Operator::remainder:
            return {"%", "remainder"};
        case Operator::minimum:
            return {"min", "minimum"};
        case Operator::maximum:
            return {"max", "maximum"};
        case Operator::bit_and:
            return {"&", "and"};
        case Operator::bit_or:
            return {"|", "or"};
        case Operator::bit_xor:
            return {"^", "xor"};
        case Operator::bits:
            return {"bits", "operation on bits"};
        case Operator::negate:
            return {"−", "negation"};
        case Operator::absolute:
            return {"abs", "absolute value"};
        case Operator::function:
            return {"f", "function"};
        case Operator::matrix:
            return {"matrix", "matrix operation"};
        case Operator::other:
            return {"op", "operation"};
        case Operator::select:
            return {"?", "choice"};
        case Operator::join:
        case Operator::pair:
            return {"{ }", "parts"};
        case Operator::store:
        case Operator::exchange:
            break;
    }
    return {"", "copy"};
}

}  // namespace

const char* sign_of(Operator op) {
    return words_of(op).sign;
}

const char* words_for(Operator op) {
    return words_of(op).words;
}

ValueId FlowGraph::add_inputs(std::uint32_t symbol, std::uint64_t cells) {
    constexpr std::uint64_t most = 1u << 31;
    if (cells == 0 || first_node_ + cells > most) return 0;
    inputs_.push_back({first_node_, symbol});
    first_node_ += static_cast<ValueId>(cells);
    return inputs_.back().first;
}

FlowGraph::Input FlowGraph::input(ValueId id) const {
    const auto after = std::upper_bound(inputs_.begin(), inputs_.end(), id,
                                        [](ValueId of, const Inputs& each) { return of < each.first; });
    const Inputs& found = *(after - 1);
    return {found.symbol, id - found.first};
}

ValueId FlowGraph::first_input_of(std::uint32_t symbol) const {
    const auto found = std::find_if(inputs_.begin(), inputs_.end(),
                                    [&](const Inputs& each) { return each.symbol == symbol; });
    return found == inputs_.end() ? 0 : found->first;
}

bool FlowGraph::room() {
    full_ = full_ || size_bytes() + sizeof(Node) + sizeof(FlowWrite) > max_bytes_ || end() == ~0u;
    return !full_;
}

ValueId FlowGraph::add(Operator op, ValueId a, ValueId b, ValueId c, std::uint32_t depth) {
    Node made;
    made.operands = {a, b, c};
    made.depth = std::min(depth, most_depth);
    made.op = static_cast<std::uint8_t>(op);
    nodes_.push_back(made);
    return end() - 1;
}

ValueId FlowGraph::make(Operator op, ValueId a, ValueId b, ValueId c) {
    if (!is_data(a) && !is_data(b) && !is_data(c)) return constant;
    if (!room()) return outside;
    if (is_operation(op)) ++operations_;
    const std::uint32_t below = std::max({depth(a), depth(b), depth(c)});
    return add(op, a, b, c, below + (is_operation(op) ? 1 : 0));
}

ValueId FlowGraph::join(ValueId a, ValueId b) {
    if (a == b || !is_data(b)) return a;
    if (!is_data(a)) return b;
    return make(Operator::join, a, b);
}

ValueId FlowGraph::pair(ValueId low, ValueId high) {
    return low == high ? low : make(Operator::pair, low, high);
}

ValueId FlowGraph::copy(Operator op, ValueId value, ValueId before, FlowWrite& write) {
    if (!room()) return outside;
    const ValueId made = add(op, value, static_cast<ValueId>(writes_.size()), before, depth(value));
    write.value = made;
    writes_.push_back(write);
    return made;
}

ValueId FlowGraph::store(ValueId value, ValueId before, FlowWrite write) {
    return copy(Operator::store, value, before, write);
}

ValueId FlowGraph::exchange(ValueId value, FlowWrite write) {
    if (!is_data(value)) return value;
    write.exchange = true;
    return copy(Operator::exchange, value, constant, write);
}

}  // namespace lanescope::analysis
